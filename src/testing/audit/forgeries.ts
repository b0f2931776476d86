import { encoder } from '../../signing/hmac.ts';
import { standardScheme } from '../../signing/scheme.ts';
import { defaultToleranceS } from '../../webhooks/defaults.ts';
import type { TargetResponse } from '../send.ts';
import { changeAt, swapCase, tamperWith } from '../tamper.ts';
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

type Made = SignedDelivery | readonly SignedDelivery[];
/** What is sent in place of a valid delivery. */
type Make = (valid: SignedDelivery, tools: AuditTools) => Made | Promise<Made>;
type Row = readonly [what: string, advice: string, make: Make, needs?: AuditCase['needs']];

const isRejected = ({ status }: TargetResponse) => status >= 400 && status < 500;
const respond4xx =
  'It was refused, but with a status that asks for more attempts: respond 4xx to what can never be accepted.';

/**
 * A case that sends what must be rejected.
 *
 * @param accepted - The outcome if one is accepted; `warning` if only someone who has the secret or a valid
 * delivery could send it, and would gain nothing.
 */
function rejects(accepted: 'failed' | 'warning', [what, advice, make, needs]: Row): AuditCase {
  return {
    name: `rejects ${what}`,
    advice,
    ...(needs && { needs }),
    async run(tools) {
      const deliveries = [await make(await sign(tools), tools)].flat();
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

/** A copy with a signature that is wrong in its middle. */
export function forge(delivery: SignedDelivery, tools: AuditTools): SignedDelivery {
  return changeSignatures(delivery, tools, (prefix, digest) => prefix + changeAt(digest, 21));
}

/** A delivery for each way to write its signature. */
const signedAs =
  (...changes: ((prefix: string, digest: string) => string)[]): Make =>
  (valid, tools) =>
    changes.map((change) => changeSignatures(valid, tools, change));

/** A delivery for each change of the digest. */
const withDigests = (...changes: ((digest: string) => string)[]): Make =>
  signedAs(...changes.map((change) => (prefix: string, digest: string) => prefix + change(digest)));

const tampered =
  (part: 'body' | 'id' | 'timestamp'): Make =>
  (valid, { options }) =>
    tamperWith(valid, part, options);
const without =
  (header: string): Make =>
  (valid) =>
    withoutHeaders(valid, [header]);
/** A delivery for each number of seconds by which its signed time differs from now. */
const signedAt =
  (...skews: number[]): Make =>
  (_, tools) =>
    Promise.all(skews.map((skewSeconds) => sign(tools, { skewSeconds })));

const whole = 'Compare the whole digest with the expected one, lengths included.';
const signedFields = 'The signature covers id and time: include them when you verify.';
const replays = 'Without it a replay cannot be recognized.';

const forged: readonly Row[] = [
  [
    'a changed body',
    'Verify the bytes, not the parsed object.',
    (valid, { options }) => {
      const body = new TextDecoder().decode(valid.body);
      const other = body.replace(/\d/, (digit) => String(9 - Number(digit)));
      return [
        tamperWith(valid, 'body', options),
        { ...valid, body: encoder().encode(other) },
        { ...valid, body: encoder().encode(`${body.slice(0, -1)},"usage":1}`) },
      ];
    },
    'body',
  ],
  [
    'a digest that is changed at its first, middle or last place',
    'Compare the whole digest.',
    withDigests(...[0, 21, -1].map((place) => (digest: string) => changeAt(digest, place))),
  ],
  [
    'a digest that is empty',
    'An empty digest equals nothing.',
    signedAs(
      (prefix) => prefix,
      (prefix) => prefix.replace(/\W$/, ''),
      (prefix) => `${prefix}=`,
    ),
  ],
  [
    'a digest cut to 1, 4, 22 or 42 characters',
    whole,
    withDigests(...[1, 4, 22, 42].map((length) => (digest: string) => digest.slice(0, length))),
  ],
  [
    'only the end of a digest',
    whole,
    withDigests(
      (digest) => digest.slice(-4),
      (digest) => digest.slice(-22),
    ),
  ],
  [
    'a digest with more before or after it',
    whole,
    withDigests(
      (digest) => `AAAA${digest}`,
      (digest) => `${digest.replace(/={1,2}$/, '')}AAAA`,
    ),
  ],
  [
    'a signature in other letter case',
    'Base64 distinguishes upper and lower case: compare the bytes exactly.',
    withDigests(swapCase),
    'envelope',
  ],
  [
    'a signature of another version',
    'Only the version that you verify with counts: compare the text before the comma, too.',
    signedAs(
      () => 'v9,unknown',
      () => 'unknown',
      (_, digest) => `v9,${digest}`,
      (prefix, digest) => `${prefix.replace(',', 'x')},${digest}`,
      (_, digest) => digest,
    ),
    'envelope',
  ],
  ['another secret', 'Verify the signature.', (_, tools) => sign(tools, { secret: decoy() })],
  [
    'a missing signature',
    'A missing header must not pass.',
    (valid, tools) => withoutHeaders(valid, signatureHeaders(tools)),
  ],
  [
    'an empty signature',
    'An empty header must not pass.',
    (valid, tools) => withHeaders(valid, signatureHeaders(tools), ''),
  ],
  ['a changed id', signedFields, tampered('id'), 'envelope'],
  ['a changed time', signedFields, tampered('timestamp'), 'envelope'],
  ['a delivery without id', replays, without('webhook-id'), 'envelope'],
  ['a delivery without time', replays, without('webhook-timestamp'), 'time'],
  [
    'a stale delivery',
    `Reject deliveries older than ${defaultToleranceS} s.`,
    signedAt(-defaultToleranceS - 10, -86_400),
    'time',
  ],
  [
    'a delivery from the future',
    `Reject deliveries more than ${defaultToleranceS} s ahead, too.`,
    signedAt(defaultToleranceS + 10, 86_400),
    'time',
  ],
  [
    '300 signatures',
    'Limit the length of the header before you hash.',
    (valid, tools) => {
      const wrong = new Array(300).fill(`v1,${'A'.repeat(43)}=`).join(' ');
      return withHeaders(valid, signatureHeaders(tools), wrong);
    },
  ],
];
/** What anybody could send who has no secret: a receiver that accepts any of it can be fooled. */
export const forgeries = forged.map((row) => rejects('failed', row));

const harmless = 'Nobody gains by it today, but it should not pass. ';

const odd: readonly Row[] = [
  ...[0, 1].map(
    (place): Row => [
      `a forged signature in the ${place === 0 ? 'first' : 'second'} of its two headers`,
      `${harmless}If both signature headers are present, reject the delivery unless they are equal.`,
      (valid, tools) => {
        const name = signatureHeaders(tools)[place] ?? '';
        return withHeaders(valid, [name], forge(valid, tools).headers[name] ?? '');
      },
      'envelope',
    ],
  ),
  [
    'a digest without its padding, or with text after it',
    `${harmless}Compare the text of the digest, or decode it strictly.`,
    withDigests(
      (digest) => digest.replace(/={1,2}$/, ''),
      (digest) => `${digest}AAAA`,
    ),
    'envelope',
  ],
  [
    'a time that is not a number',
    `${harmless}Parse the time strictly: digits only.`,
    (valid) => withHeaders(valid, ['webhook-timestamp'], `${valid.headers['webhook-timestamp']}x`),
    'time',
  ],
  [
    'an old message split at other dots',
    `${harmless}Reject ids with a dot: the signed text could be read in two ways.`,
    async (valid, { options: { scheme = standardScheme(), secret, now = Date.now } }) => {
      const time = Math.floor(now() / 1000);
      // The old message had the id `old`, the time 1 and a body that begins with a fresh time.
      const body = encoder().encode(`${time}.{}`);
      const secrets = [secret].flat() as (string | Uint8Array)[];
      const old = await scheme.sign({ id: 'old', timestamp: 1, body, secrets });
      const headers = { ...old, 'webhook-id': 'old.1', 'webhook-timestamp': String(time) };
      return { ...valid, headers: { ...valid.headers, ...headers }, body: encoder().encode('{}') };
    },
    'envelope',
  ],
  [
    'bytes that are not UTF-8',
    `${harmless}Verify bytes: decoding turns other bytes into U+FFFD, which has the same signature.`,
    async (_, tools) => {
      const { id, body } = tools.message();
      const text = body.replace(/}$/, ',"note":"\ufffd"}');
      const delivery = await signDelivery({ id, body: text }, tools.options);
      const bytes = [...(delivery.body ?? [])];
      bytes.splice(bytes.indexOf(0xef), 3, 0xff);
      return { ...delivery, body: Uint8Array.from(bytes) };
    },
    'body',
  ],
  [
    'a body that is not JSON',
    'Parse after verifying the signature, and catch the error.',
    (_, { options }) => signDelivery(toMessage('{"event":', options), options),
  ],
  [
    'an oversized body',
    'Limit the size of the body before you hash: anybody can send a large one.',
    (_, { options, maxBodyBytes }) =>
      signDelivery(
        toMessage({ event: 'large', filler: 'x'.repeat(maxBodyBytes) }, options),
        options,
      ),
  ],
  [
    'GET',
    'Deliveries are POSTs; respond 405 to every other method.',
    (valid) => ({ ...valid, method: 'GET', body: undefined }),
  ],
];
/** What nobody could use, or only with the secret: strict receivers reject it. */
export const oddities = odd.map((row) => rejects('warning', row));
