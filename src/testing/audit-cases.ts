import { standardScheme } from '../signing/scheme.ts';
import { tamperWith } from './deliver.ts';
import { sampleEvent, sampleTypes } from './sample-event.ts';
import type { Answer } from './send.ts';
import {
  type SignedDelivery,
  signDelivery,
  type TestRequestOptions,
  toMessage,
} from './test-request.ts';

/** What one case may use. */
export interface AuditTools {
  readonly options: TestRequestOptions;
  /** The receiver's cap, to send more than it. */
  readonly maxBodyBytes: number;
  /** How often the receiver's effect has happened, where the caller can tell. */
  readonly effects: (() => number | Promise<number>) | undefined;
  send(delivery: SignedDelivery): Promise<Answer>;
}

/** What a case found: what was wanted, what came, and whether that is right. */
export interface Finding {
  readonly expected: string;
  readonly got: string;
  readonly ok: boolean;
  readonly durationMs: number;
}

/** One thing that a receiver must do. */
export interface AuditCase {
  readonly name: string;
  /** Why it matters, and what to do when it fails. */
  readonly advice: string;
  /** Only where the signature covers id and time. */
  readonly needsEnvelope?: true;
  run(tools: AuditTools): Promise<Finding>;
}

type Judge = (answers: readonly Answer[]) => boolean;

const accepted = ({ status }: Answer) => status >= 200 && status < 300;
const refused = ({ status }: Answer) => status >= 400 && status < 500;

function finding(expected: string, answers: readonly Answer[], judge: Judge): Finding {
  return {
    expected,
    got: answers.map(({ status, body }) => (status === 0 ? body : String(status))).join(', '),
    ok: judge(answers),
    durationMs: Math.max(...answers.map(({ durationMs }) => durationMs)),
  };
}

const sign = (tools: AuditTools, changes: Partial<TestRequestOptions> = {}) =>
  signDelivery(toMessage(sampleEvent('usage_threshold')), { ...tools.options, ...changes });

function without(delivery: SignedDelivery, names: readonly string[]): SignedDelivery {
  const lower = names.map((name) => name.toLowerCase());
  const kept = Object.entries(delivery.headers).filter(
    ([name]) => !lower.includes(name.toLowerCase()),
  );
  return { ...delivery, headers: Object.fromEntries(kept) };
}

function withHeader(delivery: SignedDelivery, name: string, value: string): SignedDelivery {
  return { ...delivery, headers: { ...delivery.headers, [name]: value } };
}

/** A case that sends one delivery that must be refused. */
function refusal(
  name: string,
  advice: string,
  make: (tools: AuditTools) => Promise<SignedDelivery>,
  needsEnvelope = false,
): AuditCase {
  return {
    name,
    advice,
    ...(needsEnvelope && { needsEnvelope }),
    run: async (tools) =>
      finding('4xx', [await tools.send(await make(tools))], (all) => all.every(refused)),
  };
}

/** A case that sends one delivery that must be accepted. */
function acceptance(
  name: string,
  advice: string,
  make: (tools: AuditTools) => Promise<SignedDelivery>,
): AuditCase {
  return {
    name,
    advice,
    run: async (tools) =>
      finding('2xx', [await tools.send(await make(tools))], (all) => all.every(accepted)),
  };
}

const signatureHeaders = ({ options }: AuditTools) =>
  (options.scheme ?? standardScheme()).signatureHeaders;

/** The same delivery several times; where effects can be counted, there must be exactly one. */
async function once(
  tools: AuditTools,
  expected: string,
  play: (delivery: SignedDelivery) => Promise<Answer[]>,
  judge: Judge,
): Promise<Finding> {
  const before = await tools.effects?.();
  const found = finding(expected, await play(await sign(tools)), judge);
  if (before === undefined || !tools.effects) return found;
  const effects = (await tools.effects()) - before;
  return {
    ...found,
    expected: `${expected}; 1 effect`,
    got: `${found.got}; ${effects} effect${effects === 1 ? '' : 's'}`,
    ok: found.ok && effects === 1,
  };
}

/** Everything that is asked of a receiver, good deliveries first. */
export const auditCases: readonly AuditCase[] = [
  ...sampleTypes.map((type) =>
    acceptance(
      `accepts ${type}`,
      'Verify the raw body with the secret of this endpoint, then answer 2xx quickly.',
      ({ options }) => signDelivery(toMessage(sampleEvent(type)), options),
    ),
  ),
  acceptance(
    'accepts a callback without requestId and status',
    'The request id is usually present, not always.',
    ({ options }) =>
      signDelivery(
        toMessage({ result: 'text', model: 'content-1', usage: { totalTokens: 2 } }),
        options,
      ),
  ),
  acceptance(
    'accepts an unknown type',
    'Later versions add types: acknowledge what you do not know.',
    ({ options }) =>
      signDelivery(toMessage({ event: 'type_of_a_later_version', organization: 'org_1' }), options),
  ),
  acceptance(
    'accepts beside a signature of an unknown version',
    'Skip signatures that you do not know: another scheme may sign beside this one.',
    async (tools) => {
      const delivery = await sign(tools);
      const headers = { ...delivery.headers };
      for (const name of signatureHeaders(tools)) headers[name] = `v9,unknown ${headers[name]}`;
      return { ...delivery, headers };
    },
  ),
  {
    name: 'handles a duplicate once',
    advice: 'Deliveries come at least once: remember webhook-id and acknowledge what was done.',
    run: (tools) =>
      once(
        tools,
        '2xx, 2xx, 2xx',
        async (delivery) => [
          await tools.send(delivery),
          await tools.send(delivery),
          await tools.send(delivery),
        ],
        (all) => all.every(accepted),
      ),
  },
  {
    name: 'handles concurrent copies once',
    advice:
      'Claim the webhook-id atomically before the effect; answer 503 while another copy runs.',
    run: (tools) =>
      once(
        tools,
        '2xx or 503, 2xx at last',
        async (delivery) => {
          const racing = await Promise.all([0, 1, 2, 3, 4].map(() => tools.send(delivery)));
          return [...racing, await tools.send(delivery)];
        },
        (all) =>
          all.every((answer) => accepted(answer) || answer.status === 503) &&
          all.slice(-1).every(accepted),
      ),
  },
  refusal('refuses a changed body', 'Verify the bytes, not the parsed object.', async (tools) =>
    tamperWith(await sign(tools), 'body', tools.options),
  ),
  refusal('refuses a changed signature', 'Compare the whole signature.', async (tools) =>
    tamperWith(await sign(tools), 'signature', tools.options),
  ),
  refusal('refuses another secret', 'Check the signature at all.', (tools) =>
    sign(tools, { secret: new Uint8Array(32).fill(1) }),
  ),
  refusal('refuses a missing signature', 'An absent header is no permission.', async (tools) =>
    without(await sign(tools), signatureHeaders(tools)),
  ),
  refusal('refuses an empty signature', 'An empty header is no permission.', async (tools) => {
    const delivery = await sign(tools);
    const empty = signatureHeaders(tools).map((name) => [name, '']);
    return { ...delivery, headers: { ...delivery.headers, ...Object.fromEntries(empty) } };
  }),
  refusal(
    'refuses a changed id',
    'Sign-check id and time too: they are part of what is signed.',
    async (tools) => tamperWith(await sign(tools), 'id', tools.options),
    true,
  ),
  refusal(
    'refuses a changed time',
    'Sign-check id and time too: they are part of what is signed.',
    async (tools) => tamperWith(await sign(tools), 'timestamp', tools.options),
    true,
  ),
  refusal(
    'refuses a delivery without id',
    'Without webhook-id a replay cannot be told.',
    async (tools) => without(await sign(tools), ['webhook-id']),
    true,
  ),
  refusal(
    'refuses a delivery without time',
    'Without time a replay cannot be told.',
    async (tools) => without(await sign(tools), ['webhook-timestamp']),
  ),
  refusal('refuses a stale delivery', 'Refuse what is older than 5 minutes.', (tools) =>
    sign(tools, { skewSeconds: -400 }),
  ),
  refusal('refuses a delivery from the future', 'The window has two sides.', (tools) =>
    sign(tools, { skewSeconds: 400 }),
  ),
  refusal('refuses a time that is no number', 'Parse the time strictly.', async (tools) => {
    const delivery = await sign(tools);
    return withHeader(delivery, 'webhook-timestamp', `${delivery.headers['webhook-timestamp']}x`);
  }),
  refusal(
    'refuses an old message that was split anew',
    'Refuse ids with a dot: the signed text could be read in two ways.',
    async (tools) => {
      const { scheme = standardScheme(), secret, now = Date.now } = tools.options;
      const time = Math.floor(now() / 1000);
      // The old message had the id `old`, the time 1 and a body that begins with a fresh time.
      const body = new TextEncoder().encode(`${time}.{}`);
      const secrets = [secret].flat() as (string | Uint8Array)[];
      const old = await scheme.sign({ id: 'old', timestamp: 1, body, secrets });
      const headers = { ...old, 'webhook-id': 'old.1', 'webhook-timestamp': String(time) };
      const delivery = await sign(tools);
      return {
        ...delivery,
        headers: { ...delivery.headers, ...headers },
        body: new TextEncoder().encode('{}'),
      };
    },
    true,
  ),
  refusal('refuses 300 signatures', 'Cap the header before you hash.', async (tools) => {
    const forged = new Array(300).fill(`v1,${'A'.repeat(43)}=`).join(' ');
    const delivery = await sign(tools);
    const headers = signatureHeaders(tools).map((name) => [name, forged]);
    return { ...delivery, headers: { ...delivery.headers, ...Object.fromEntries(headers) } };
  }),
  refusal(
    'refuses what is no JSON',
    'Decode after the signature, and catch what fails.',
    ({ options }) => signDelivery(toMessage('{"event":'), options),
  ),
  refusal(
    'refuses an oversized body',
    'Cap the body before you hash.',
    ({ options, maxBodyBytes }) =>
      signDelivery(toMessage({ event: 'large', filler: 'x'.repeat(maxBodyBytes) }), options),
  ),
  refusal('refuses GET', 'Deliveries are POSTs; answer 405 to the rest.', async (tools) => ({
    ...(await sign(tools)),
    method: 'GET',
    body: undefined,
  })),
];
