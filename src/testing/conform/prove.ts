import { ContentGen } from '../../client.ts';
import { type Deployment, defineDeployment } from '../../deployment/index.ts';
import { verifyWebhook } from '../../webhooks/verify.ts';
import { looksSigned } from '../find-scheme.ts';
import { type Generation, prompt } from './generation.ts';
import type { ConformanceProof } from './options.ts';
import { isKeyHeader, type Probe } from './probe.ts';
import type { ReceivedDelivery } from './receiver.ts';

/** What came of an attempt; what is thrown says why it failed. */
type Outcome = { readonly ok?: boolean | undefined; readonly detail: string };
type Prove = (what: string, work: () => Promise<Outcome>) => Promise<boolean>;

/** Makes one call, and receives one callback, with the deployment that was found. */
export async function prove(
  probe: Probe,
  generation: Generation,
  json: object,
  secret: string | undefined,
): Promise<readonly ConformanceProof[]> {
  const proof: ConformanceProof[] = [];
  const attempt: Prove = async (what, work) => {
    const outcome = await work().catch((error: unknown) => ({ ok: false, detail: `${error}` }));
    const { ok = 'ok' in outcome ? undefined : true, detail } = outcome;
    proof.push({ what, ok, detail: probe.redactor.text(detail) });
    return ok === true;
  };
  const deployment = { value: undefined as Deployment | undefined };
  await attempt('the file: defineDeployment(file)', async () => {
    deployment.value = defineDeployment(json);
    return { detail: 'it is valid' };
  });
  const { value } = deployment;
  if (!value) return proof;
  const client = clientOf(probe, value);
  await proveCall(probe, generation, client, attempt);
  await proveCallback(
    probe,
    generation,
    client,
    (delivery, requestId) => receive(value, secret, delivery, requestId),
    attempt,
  );
  return proof;
}

const skipped = (detail: string): Outcome => ({ ok: undefined, detail });

function clientOf(probe: Probe, deployment: Deployment): ContentGen {
  const { base, options, timeoutMs } = probe;
  const { fetch: send } = options;
  return new ContentGen({
    ...{ baseUrl: base, deployment, timeout: timeoutMs, maxRetryAfter: timeoutMs, logLevel: 'off' },
    ...(isKeyHeader(probe) ? { apiKey: options.apiKey } : { accessToken: options.apiKey }),
    ...(send && { fetch: (input, init) => send(new Request(input, init)) }),
  });
}

async function proveCall(probe: Probe, generation: Generation, client: ContentGen, attempt: Prove) {
  const { isSynchronous, requestId = '', answer } = generation;
  const [header, prefix] = probe.credential;
  if (!isKeyHeader(probe))
    await attempt('the key as accessToken', async () => ({
      detail: `it is accepted in ${header}: ${prefix}…; pass it as accessToken, not as apiKey`,
    }));
  const call = isSynchronous ? 'generate({ prompt })' : 'get(requestId)';
  await attempt(`a call: client.content.${call}`, async () => {
    if (!isSynchronous && (!requestId || probe.facts.isAbsent('getGeneration')))
      return skipped(`no text without a callback: ${answer?.shown}`);
    const { content } = client;
    const done = isSynchronous ? await content.generate({ prompt }) : await content.get(requestId);
    const { requestId: id, result, model, usage } = done;
    const values = { requestId: id, result, model, 'usage.totalTokens': usage?.totalTokens };
    const missing = Object.entries(values).filter(([, value]) => value === undefined);
    const names = missing.map(([name]) => name).join(', ');
    const detail = names ? `it worked, without ${names}` : 'it returned id, text, model and tokens';
    return { ok: typeof result === 'string' || !isSynchronous, detail };
  });
}

async function proveCallback(
  probe: Probe,
  { callback }: Generation,
  client: ContentGen,
  handle: (delivery: ReceivedDelivery, requestId: string) => Promise<Outcome>,
  attempt: Prove,
) {
  let requestId: string | undefined;
  await attempt(
    'a call with a callback: client.content.start({ prompt, webhookUrl })',
    async () => {
      if (callback === undefined) return skipped('no field was found that takes a callback');
      ({ requestId } = await client.content.start({
        prompt,
        webhookUrl: probe.callbackUrl('proof'),
      }));
      return { detail: 'it returned a job' };
    },
  );
  await attempt('a callback: verifyWebhook({ deployment })', async () => {
    if (!probe.options.receiver) return skipped('pass --receiver-url');
    if (requestId === undefined) return skipped('no generation with a callback was started');
    const delivery = await probe.delivery((mark) => mark === 'proof');
    if (delivery) return handle(delivery, requestId);
    return { ok: false, detail: `nothing arrived within ${probe.timeoutMs / 1000} s` };
  });
}

/** Gives a delivery to a receiver with the deployment. */
async function receive(
  deployment: Deployment,
  secret: string | undefined,
  { headers, body }: ReceivedDelivery,
  requestId: string,
): Promise<Outcome> {
  const isToken = deployment.json.scheme?.type === 'token';
  if (!looksSigned(headers))
    return skipped('it has neither signature nor token, so nothing proves it');
  if (secret === undefined) return skipped('pass --secret: it is signed');
  const { type, payload } = await verifyWebhook({
    ...{ body, deployment, logger: { warn() {}, error() {}, diagnose: false } },
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(isToken ? { token: secret } : { secret }),
  });
  const isSame = Object(payload).requestId === requestId;
  const seen = `it was verified and read as ${type}`;
  return { ok: isSame, detail: isSame ? seen : `${seen}, with another requestId` };
}
