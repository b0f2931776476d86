import { standardScheme } from '../../signing/scheme.ts';
import { defaultToleranceS } from '../../webhooks/settings.ts';
import { tamperWith } from '../deliver.ts';
import type { TargetResponse } from '../send.ts';
import { type SignedDelivery, signDelivery, toMessage } from '../test-request.ts';
import {
  type AuditCase,
  type AuditTools,
  changeSignatures,
  decoy,
  isAccepted,
  sign,
  signatureHeaders,
  toFinding,
  withHeaders,
  withoutHeaders,
} from './audit-case.ts';

type Make = (tools: AuditTools) => Promise<SignedDelivery | readonly SignedDelivery[]>;

const isRejected = ({ status }: TargetResponse) => status >= 400 && status < 500;
const respond4xx =
  'It was refused, but with a status that asks for more attempts: respond 4xx to what can never be accepted.';

/**
 * A case that sends what must be rejected.
 *
 * @param accepted - The outcome if one is accepted; `warning` if only someone who has the secret or a valid
 * delivery could send it, and would gain nothing.
 */
function refuses(
  accepted: 'failed' | 'warning',
  what: string,
  advice: string,
  make: Make,
  needs?: AuditCase['needs'],
): AuditCase {
  return {
    name: `rejects ${what}`,
    advice,
    ...(needs && { needs }),
    async run(tools) {
      const deliveries = [await make(tools)].flat();
      const responses = await Promise.all(deliveries.map((delivery) => tools.send(delivery)));
      const expected = responses.length === 1 ? '4xx' : 'only 4xx';
      if (responses.every(isRejected)) return toFinding(expected, responses, 'passed');
      if (responses.some(({ status }) => status === 0))
        return toFinding(expected, responses, 'failed');
      if (responses.some(isAccepted)) return toFinding(expected, responses, accepted);
      return { ...toFinding(expected, responses, 'warning'), advice: respond4xx };
    },
  };
}

const rejects = (what: string, advice: string, make: Make, needs?: AuditCase['needs']) =>
  refuses('failed', what, advice, make, needs);
const shouldReject = (what: string, advice: string, make: Make, needs?: AuditCase['needs']) =>
  refuses('warning', what, advice, make, needs);

/** A copy with another character at the place: in base64 one that stands for other bits at the end, too. */
function changeAt(text: string, place: number): string {
  const at = place < 0 ? text.replace(/=+$/, '').length + place : place;
  const [usual, other] = /^[0-9a-f]+$/.test(text) ? ['0', '4'] : ['A', 'Q'];
  return text.slice(0, at) + (text[at] === usual ? other : usual) + text.slice(at + 1);
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** A copy with a signature that is wrong in its middle. */
export function forge(delivery: SignedDelivery, tools: AuditTools): SignedDelivery {
  return changeSignatures(delivery, tools, (prefix, digest) => prefix + changeAt(digest, 21));
}

/** A delivery for each way to write its signature. */
async function resigned(
  tools: AuditTools,
  changes: readonly ((prefix: string, digest: string) => string)[],
): Promise<SignedDelivery[]> {
  const delivery = await sign(tools);
  return changes.map((change) => changeSignatures(delivery, tools, change));
}

const whole = 'Compare the whole digest with the expected one, lengths included.';
const signedFields = 'The signature covers id and time: include them when you verify.';
const replays = 'Without it a replay cannot be recognized.';

/** What anybody could send who has no secret: a receiver that accepts any of it can be fooled. */
export const forgeries: readonly AuditCase[] = [
  rejects(
    'a changed body',
    'Verify the bytes, not the parsed object.',
    async (tools) => {
      const delivery = await sign(tools);
      const body = new TextDecoder().decode(delivery.body);
      const other = body.replace(/\d/, (digit) => String(9 - Number(digit)));
      return [
        tamperWith(delivery, 'body', tools.options),
        { ...delivery, body: new TextEncoder().encode(other) },
        { ...delivery, body: new TextEncoder().encode(`${body.slice(0, -1)},"usage":1}`) },
      ];
    },
    'body',
  ),
  rejects(
    'a digest that is changed at its first, middle or last place',
    'Compare the whole digest.',
    (tools) =>
      resigned(
        tools,
        [0, 21, -1].map((place) => (prefix, digest) => prefix + changeAt(digest, place)),
      ),
  ),
  rejects('a digest that is empty', 'An empty digest equals nothing.', (tools) =>
    resigned(tools, [
      (prefix) => prefix,
      (prefix) => prefix.replace(/\W$/, ''),
      (prefix) => `${prefix}=`,
    ]),
  ),
  rejects('a digest cut to 1, 4, 22 or 42 characters', whole, (tools) =>
    resigned(
      tools,
      [1, 4, 22, 42].map((length) => (prefix, digest) => prefix + digest.slice(0, length)),
    ),
  ),
  rejects('only the end of a digest', whole, (tools) =>
    resigned(
      tools,
      [-4, -22].map((length) => (prefix, digest) => prefix + digest.slice(length)),
    ),
  ),
  rejects('a digest with more before or after it', whole, (tools) =>
    resigned(tools, [
      (prefix, digest) => `${prefix}AAAA${digest}`,
      (prefix, digest) => `${prefix}${digest.replace(/=+$/, '')}AAAA`,
    ]),
  ),
  rejects(
    'a signature in other letter case',
    'Base64 distinguishes upper and lower case: compare the bytes exactly.',
    (tools) => resigned(tools, [(prefix, digest) => prefix + swapCase(digest)]),
    'envelope',
  ),
  rejects(
    'a signature of another version',
    'Only the version that you verify with counts: compare the text before the comma, too.',
    (tools) =>
      resigned(tools, [
        () => 'v9,unknown',
        () => 'unknown',
        (_, digest) => `v9,${digest}`,
        (prefix, digest) => `${prefix.replace(',', 'x')},${digest}`,
        (_, digest) => digest,
      ]),
    'envelope',
  ),
  rejects('another secret', 'Verify the signature.', (tools) =>
    sign(tools, { secret: decoy(tools) }),
  ),
  rejects('a missing signature', 'A missing header must not pass.', async (tools) =>
    withoutHeaders(await sign(tools), signatureHeaders(tools)),
  ),
  rejects('an empty signature', 'An empty header must not pass.', async (tools) =>
    withHeaders(await sign(tools), signatureHeaders(tools), ''),
  ),
  rejects(
    'a changed id',
    signedFields,
    async (tools) => tamperWith(await sign(tools), 'id', tools.options),
    'envelope',
  ),
  rejects(
    'a changed time',
    signedFields,
    async (tools) => tamperWith(await sign(tools), 'timestamp', tools.options),
    'envelope',
  ),
  rejects(
    'a delivery without id',
    replays,
    async (tools) => withoutHeaders(await sign(tools), ['webhook-id']),
    'envelope',
  ),
  rejects(
    'a delivery without time',
    replays,
    async (tools) => withoutHeaders(await sign(tools), ['webhook-timestamp']),
    'time',
  ),
  rejects(
    'a stale delivery',
    `Reject deliveries older than ${defaultToleranceS} s.`,
    async (tools) => [
      await sign(tools, { skewSeconds: -defaultToleranceS - 10 }),
      await sign(tools, { skewSeconds: -86_400 }),
    ],
    'time',
  ),
  rejects(
    'a delivery from the future',
    `Reject deliveries more than ${defaultToleranceS} s ahead, too.`,
    async (tools) => [
      await sign(tools, { skewSeconds: defaultToleranceS + 10 }),
      await sign(tools, { skewSeconds: 86_400 }),
    ],
    'time',
  ),
  rejects('300 signatures', 'Limit the length of the header before you hash.', async (tools) => {
    const forged = new Array(300).fill(`v1,${'A'.repeat(43)}=`).join(' ');
    return withHeaders(await sign(tools), signatureHeaders(tools), forged);
  }),
];

const harmless = 'Nobody gains by it today, but it should not pass. ';

/** What nobody could use, or only with the secret: strict receivers reject it. */
export const oddities: readonly AuditCase[] = [
  ...[0, 1].map((forged) =>
    shouldReject(
      `a forged signature in the ${forged === 0 ? 'first' : 'second'} of its two headers`,
      `${harmless}If both signature headers are present, reject the delivery unless they are equal.`,
      async (tools) => {
        const delivery = await sign(tools);
        const name = signatureHeaders(tools)[forged] ?? '';
        return withHeaders(delivery, [name], forge(delivery, tools).headers[name] ?? '');
      },
      'envelope',
    ),
  ),
  shouldReject(
    'a digest without its padding, or with text after it',
    `${harmless}Compare the text of the digest, or decode it strictly.`,
    (tools) =>
      resigned(tools, [
        (prefix, digest) => prefix + digest.replace(/=+$/, ''),
        (prefix, digest) => `${prefix}${digest}AAAA`,
      ]),
    'envelope',
  ),
  shouldReject(
    'a time that is not a number',
    `${harmless}Parse the time strictly: digits only.`,
    async (tools) => {
      const delivery = await sign(tools);
      const time = `${delivery.headers['webhook-timestamp']}x`;
      return withHeaders(delivery, ['webhook-timestamp'], time);
    },
    'time',
  ),
  shouldReject(
    'an old message split at other dots',
    `${harmless}Reject ids with a dot: the signed text could be read in two ways.`,
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
    'envelope',
  ),
  shouldReject(
    'bytes that are not UTF-8',
    `${harmless}Verify bytes: decoding turns other bytes into U+FFFD, which has the same signature.`,
    async (tools) => {
      const { id, body } = tools.message();
      const text = body.replace(/}$/, ',"note":"\ufffd"}');
      const delivery = await signDelivery({ id, body: text }, tools.options);
      const bytes = [...(delivery.body ?? [])];
      bytes.splice(bytes.indexOf(0xef), 3, 0xff);
      return { ...delivery, body: Uint8Array.from(bytes) };
    },
    'body',
  ),
  shouldReject(
    'a body that is not JSON',
    'Parse after verifying the signature, and catch the error.',
    ({ options }) => signDelivery(toMessage('{"event":', options), options),
  ),
  shouldReject(
    'an oversized body',
    'Limit the size of the body before you hash: anybody can send a large one.',
    ({ options, maxBodyBytes }) =>
      signDelivery(
        toMessage({ event: 'large', filler: 'x'.repeat(maxBodyBytes) }, options),
        options,
      ),
  ),
  shouldReject(
    'GET',
    'Deliveries are POSTs; respond 405 to every other method.',
    async (tools) => ({
      ...(await sign(tools)),
      method: 'GET',
      body: undefined,
    }),
  ),
];
