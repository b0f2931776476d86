import { ContentGen } from '../../client.ts';
import { type Deployment, defineDeployment } from '../../deployment/index.ts';
import { verifyWebhook } from '../../webhooks/verify.ts';
import { looksSigned } from '../find-scheme.ts';
import { type Generation, prompt } from './generation.ts';
import type { ConformanceProof } from './options.ts';
import { isKeyHeader, type Probe } from './probe.ts';

/** What came of an attempt; what is thrown says why it failed. */
type Outcome = Omit<ConformanceProof, 'what'>;

const worked = (detail: string): Outcome => ({ ok: true, detail });
const skipped = (detail: string): Outcome => ({ ok: undefined, detail });
const failed = (detail: string): Outcome => ({ ok: false, detail });

export async function prove(
  probe: Probe,
  { isSynchronous, requestId = '', answer, callback }: Generation,
  json: object,
  secret: string | undefined,
): Promise<readonly ConformanceProof[]> {
  const proof: ConformanceProof[] = [];
  const attempt = async (what: string, work: () => Promise<Outcome>) => {
    const { ok, detail } = await work().catch((error: unknown) => failed(`${error}`));
    proof.push({ what, ok, detail: probe.redactor.text(detail) });
  };
  let deployment = defineDeployment({});
  await attempt('the file: defineDeployment(file)', async () => {
    deployment = defineDeployment(json);
    return worked('it is valid');
  });
  if (proof[0]?.ok === false) return proof;
  const { content } = clientOf(probe, deployment);
  const [header, prefix] = probe.credential;
  if (!isKeyHeader(probe))
    await attempt('the key as accessToken', async () =>
      worked(`it is accepted in ${header}: ${prefix}…; pass it as accessToken, not as apiKey`),
    );
  const call = isSynchronous ? 'generate({ prompt })' : 'get(requestId)';
  await attempt(`a call: client.content.${call}`, async () => {
    if (!isSynchronous && (!requestId || probe.facts.isAbsent('getGeneration')))
      return skipped(`no text without a callback: ${answer?.shown}`);
    const done = isSynchronous ? await content.generate({ prompt }) : await content.get(requestId);
    const { requestId: id, result, model, usage } = done;
    const values = { requestId: id, result, model, 'usage.totalTokens': usage?.totalTokens };
    const missing = Object.entries(values).filter(([, value]) => value === undefined);
    const names = missing.map(([name]) => name).join(', ');
    const detail = names ? `it worked, without ${names}` : 'it returned id, text, model and tokens';
    return { ok: typeof result === 'string' || !isSynchronous, detail };
  });
  let started: string | undefined;
  await attempt(
    'a call with a callback: client.content.start({ prompt, webhookUrl })',
    async () => {
      if (callback === undefined) return skipped('no field was found that takes a callback');
      const job = await content.start({ prompt, webhookUrl: probe.callbackUrl('proof') });
      started = job.requestId;
      return worked('it returned a job');
    },
  );
  await attempt('a callback: verifyWebhook({ deployment })', async () => {
    if (!probe.options.receiver) return skipped('pass --receiver-url');
    if (started === undefined) return skipped('no generation with a callback was started');
    const delivery = await probe.delivery((mark) => mark === 'proof');
    if (!delivery) return failed(`nothing arrived within ${probe.timeoutMs / 1000} s`);
    if (!looksSigned(delivery.headers))
      return skipped('it has neither signature nor token, so nothing proves it');
    if (secret === undefined) return skipped('pass --secret: it is signed');
    const isToken = deployment.json.scheme?.type === 'token';
    const { type, payload } = await verifyWebhook({
      ...{ body: delivery.body, deployment },
      logger: { warn() {}, error() {}, diagnose: false },
      headers: delivery.headers.map(([name, value]): [string, string] => [name, value]),
      ...(isToken ? { token: secret } : { secret }),
    });
    const seen = `it was verified and read as ${type}`;
    const isSame = Object(payload).requestId === started;
    return isSame ? worked(seen) : failed(`${seen}, with another requestId`);
  });
  return proof;
}

function clientOf(probe: Probe, deployment: Deployment): ContentGen {
  const { base, options, timeoutMs } = probe;
  const { fetch: send } = options;
  return new ContentGen({
    ...{ baseUrl: base, deployment, timeout: timeoutMs, maxRetryAfter: timeoutMs, logLevel: 'off' },
    ...(isKeyHeader(probe) ? { apiKey: options.apiKey } : { accessToken: options.apiKey }),
    ...(send && { fetch: (input, init) => send(new Request(input, init)) }),
  });
}
