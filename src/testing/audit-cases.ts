import { standardScheme } from '../signing/scheme.ts';
import { defaultToleranceS } from '../webhooks/settings.ts';
import {
  type AuditCase,
  accepts,
  expectOneEffect,
  isAccepted,
  rejects,
  rejectsEnvelope,
  rejectsTime,
  sign,
  signatureHeaders,
  withHeaders,
  withoutHeaders,
} from './audit-case.ts';
import { tamperWith } from './deliver.ts';
import { sampleEvent, sampleTypes } from './sample-event.ts';
import { signDelivery, toMessage } from './test-request.ts';

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

const signedFields = 'The signature covers id and time: include them when you verify.';
const replays = 'Without it a replay cannot be recognized.';

const validDeliveries: readonly AuditCase[] = [
  ...sampleTypes.map((type) =>
    accepts(
      type,
      'Verify the raw body with the secret of this endpoint, then respond 2xx quickly.',
      ({ options }) => signDelivery(toMessage(sampleEvent(type), options), options),
    ),
  ),
  accepts(
    'a callback without requestId and status',
    'The request id is usually present, but not always.',
    ({ options }) =>
      signDelivery(
        toMessage({ result: 'text', model: 'content-1', usage: { totalTokens: 2 } }, options),
        options,
      ),
  ),
  accepts(
    'an unknown type',
    'Later versions add types: acknowledge the ones you do not know.',
    ({ options }) =>
      signDelivery(
        toMessage({ event: 'type_of_a_later_version', organization: 'org_1' }, options),
        options,
      ),
  ),
  accepts(
    'a signature next to one of an unknown version',
    'Skip signatures that you do not know: another scheme can sign alongside this one.',
    async (tools) => {
      const delivery = await sign(tools);
      const headers = { ...delivery.headers };
      for (const name of signatureHeaders(tools)) headers[name] = `v9,unknown ${headers[name]}`;
      return { ...delivery, headers };
    },
  ),
];

const copies: readonly AuditCase[] = [
  {
    name: 'handles a duplicate once',
    advice: 'Deliveries arrive at least once: remember webhook-id and acknowledge handled ones.',
    run: (tools) =>
      expectOneEffect(
        tools,
        '2xx, 2xx, 2xx',
        async (delivery) => [
          await tools.send(delivery),
          await tools.send(delivery),
          await tools.send(delivery),
        ],
        (responses) => responses.every(isAccepted),
      ),
  },
  {
    name: 'handles concurrent copies once',
    advice:
      'Claim the webhook-id atomically before the effect; respond 503 while another copy is being handled.',
    run: (tools) =>
      expectOneEffect(
        tools,
        '2xx or 503, finally 2xx',
        async (delivery) => {
          const racing = await Promise.all([0, 1, 2, 3, 4].map(() => tools.send(delivery)));
          return [...racing, await tools.send(delivery)];
        },
        (responses) =>
          responses.every((response) => isAccepted(response) || response.status === 503) &&
          responses.slice(-1).every(isAccepted),
      ),
  },
];

const forgeries: readonly AuditCase[] = [
  rejects('a changed body', 'Verify the bytes, not the parsed object.', async (tools) =>
    tamperWith(await sign(tools), 'body', tools.options),
  ),
  rejects('a changed signature', 'Compare the whole signature.', async (tools) =>
    tamperWith(await sign(tools), 'signature', tools.options),
  ),
  rejectsEnvelope(
    'a signature in other letter case',
    'Base64 distinguishes upper and lower case: compare the bytes exactly.',
    async (tools) => {
      const delivery = await sign(tools);
      const [name = ''] = signatureHeaders(tools);
      const [version, digest = ''] = (delivery.headers[name] ?? '').split(',');
      return withHeaders(delivery, signatureHeaders(tools), `${version},${swapCase(digest)}`);
    },
  ),
  ...[0, 1].map((forged) =>
    rejectsEnvelope(
      `a forged signature in the ${forged === 0 ? 'first' : 'second'} of its two headers`,
      'If both signature headers are present, reject the delivery unless they are equal; otherwise code that reads the other header can be fooled.',
      async (tools) => {
        const delivery = await sign(tools);
        const name = signatureHeaders(tools)[forged] ?? '';
        const other = tamperWith(delivery, 'signature', tools.options);
        return withHeaders(delivery, [name], other.headers[name] ?? '');
      },
    ),
  ),
  rejects('another secret', 'Verify the signature.', (tools) =>
    sign(tools, { secret: crypto.getRandomValues(new Uint8Array(32)) }),
  ),
  rejects('a missing signature', 'A missing header must not pass.', async (tools) =>
    withoutHeaders(await sign(tools), signatureHeaders(tools)),
  ),
  rejects('an empty signature', 'An empty header must not pass.', async (tools) =>
    withHeaders(await sign(tools), signatureHeaders(tools), ''),
  ),
  rejectsEnvelope('a changed id', signedFields, async (tools) =>
    tamperWith(await sign(tools), 'id', tools.options),
  ),
  rejectsEnvelope('a changed time', signedFields, async (tools) =>
    tamperWith(await sign(tools), 'timestamp', tools.options),
  ),
  rejectsEnvelope('a delivery without id', replays, async (tools) =>
    withoutHeaders(await sign(tools), ['webhook-id']),
  ),
  rejectsTime('a delivery without time', replays, async (tools) =>
    withoutHeaders(await sign(tools), ['webhook-timestamp']),
  ),
  rejectsTime('a stale delivery', `Reject deliveries older than ${defaultToleranceS} s.`, (tools) =>
    sign(tools, { skewSeconds: -defaultToleranceS - 100 }),
  ),
  rejectsTime(
    'a delivery from the future',
    `Reject deliveries more than ${defaultToleranceS} s ahead, too.`,
    (tools) => sign(tools, { skewSeconds: defaultToleranceS + 100 }),
  ),
  rejectsTime('a time that is not a number', 'Parse the time strictly.', async (tools) => {
    const delivery = await sign(tools);
    const time = `${delivery.headers['webhook-timestamp']}x`;
    return withHeaders(delivery, ['webhook-timestamp'], time);
  }),
  rejectsEnvelope(
    'an old message split at other dots',
    'Reject ids with a dot: the signed text could be read in two ways.',
    async (tools) => {
      const { scheme = standardScheme(), secret, now = Date.now } = tools.options;
      const time = Math.floor(now() / 1000);
      // The old message had the id `old`, the time 1 and a body that begins with a fresh time.
      const body = new TextEncoder().encode(`${time}.{}`);
      const secrets = [secret].flat() as (string | Uint8Array)[];
      const old = await scheme.sign({ id: 'old', timestamp: 1, body, secrets });
      const delivery = await sign(tools);
      const headers = { ...old, 'webhook-id': 'old.1', 'webhook-timestamp': String(time) };
      return {
        ...delivery,
        headers: { ...delivery.headers, ...headers },
        body: new TextEncoder().encode('{}'),
      };
    },
  ),
];

const hostileInput: readonly AuditCase[] = [
  rejects('300 signatures', 'Limit the length of the header before you hash.', async (tools) => {
    const forged = new Array(300).fill(`v1,${'A'.repeat(43)}=`).join(' ');
    return withHeaders(await sign(tools), signatureHeaders(tools), forged);
  }),
  rejects(
    'a body that is not JSON',
    'Parse after verifying the signature, and catch the error.',
    ({ options }) => signDelivery(toMessage('{"event":', options), options),
  ),
  rejects(
    'an oversized body',
    'Limit the size of the body before you hash.',
    ({ options, maxBodyBytes }) =>
      signDelivery(
        toMessage({ event: 'large', filler: 'x'.repeat(maxBodyBytes) }, options),
        options,
      ),
  ),
  rejects('GET', 'Deliveries are POSTs; respond 405 to every other method.', async (tools) => ({
    ...(await sign(tools)),
    method: 'GET',
    body: undefined,
  })),
];

/** Everything that a receiver must do, valid deliveries first. */
export const auditCases: readonly AuditCase[] = [
  ...validDeliveries,
  ...copies,
  ...forgeries,
  ...hostileInput,
];
