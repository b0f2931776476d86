import { defineDeployment } from '../deployment/index.ts';
import { verifyWebhook } from '../webhooks/verify.ts';
import type { ReceivedDelivery } from './conform/receiver.ts';

/** The bytes of a digest → its algorithm. */
const algorithms: Readonly<Record<number, string>> = { 20: 'sha1', 32: 'sha256', 64: 'sha512' };
const secretEncodings = ['whsec', 'utf8', 'hex', 'base64'];
const templates = [
  '{body}',
  '{timestamp}.{body}',
  '{id}.{timestamp}.{body}',
  '{timestamp}{body}',
  '{timestamp}:{body}',
  'v0:{timestamp}:{body}',
  '{id}.{body}',
  '{body}.{timestamp}',
  '{body}{timestamp}',
];

type Headers = ReceivedDelivery['headers'];
type Json = Record<string, unknown>;

export interface FoundScheme {
  readonly scheme: Json;
  readonly secretEncoding?: string;
}

const standards: Json = {
  ...{ algorithm: 'sha256', encoding: 'hex', signs: '{body}', format: '{signature}' },
  ...{ header: 'x-service-signature', timestampUnit: 's' },
};

/** A scheme without what it would be anyway. */
export function briefScheme(scheme: object): Json {
  const entries = Object.entries(scheme).map(([name, value]) => [
    name,
    /header$/i.test(name) ? `${value}`.toLowerCase() : value,
  ]);
  return Object.fromEntries(entries.filter(([name, value]) => standards[name] !== value));
}

export const looksSigned = (headers: Headers): boolean =>
  headers.some(
    ([name, value]) =>
      /signature|token|hmac|^authorization$/i.test(name) || digestsIn(value).length > 0,
  );

/** How a delivery was signed with a secret; `undefined` if no scheme of a deployment explains it. */
export async function findScheme(
  { headers, body }: Pick<ReceivedDelivery, 'headers' | 'body'>,
  secret: string,
  names: object = {},
): Promise<FoundScheme | undefined> {
  const tokens = headers
    .filter(([, value]) => value.endsWith(secret))
    .map(([header, value]) => {
      const prefix = value.slice(0, -secret.length);
      return { type: 'token', header, ...(prefix && { prefix }) };
    });
  for (const scheme of [...tokens, { type: 'standard' }, ...hmacSchemes(headers)]) {
    const isStandard = scheme.type === 'standard';
    const encodings = scheme.type === 'token' ? [undefined] : secretEncodings;
    for (const secretEncoding of encodings) {
      const lines = { scheme, ...(secretEncoding && { secretEncoding }) };
      const isUsual = isStandard && secretEncoding === 'whsec';
      if (await verifies(headers, body, secret, { ...names, ...lines }))
        return isUsual ? { scheme } : { ...lines, scheme: briefScheme(scheme) };
    }
  }
  return undefined;
}

function hmacSchemes(headers: Headers): readonly Json[] {
  const ids = headers.map(([name]) => name).filter((name) => /(^|-)(id|uuid)$/.test(name));
  return headers.flatMap(([header, value]) =>
    digestsIn(value).flatMap(({ format, algorithm, encoding }) => {
      const timesOf = (signs: string) => {
        if (format.includes('{timestamp}')) return [unitIn(value)];
        return signs.includes('{timestamp}') ? timesIn(headers) : [undefined];
      };
      return templates.flatMap((signs) =>
        timesOf(signs).flatMap((time) =>
          (signs.includes('{id}') ? ids : [undefined]).map((idHeader) => ({
            ...{ type: 'hmac', algorithm, encoding, header, signs, format },
            ...time,
            ...(idHeader && { idHeader }),
          })),
        ),
      );
    }),
  );
}

/** The digests in the value of a header, each with the format that it stands in. */
function digestsIn(value: string) {
  const forms = [
    ['hex', /(?<![0-9a-z])[0-9a-f]{40,128}(?![0-9a-z])/gi],
    ['base64', /(?<![\w+/])[A-Za-z0-9+/]{27,86}={0,2}(?![\w+/=])/g],
    ['base64url', /(?<![\w-])[\w-]{27,86}(?![\w-])/g],
  ] as const;
  return forms.flatMap(([encoding, form]) =>
    [...value.matchAll(form)].flatMap(({ 0: digest, index }) => {
      const length = digest.replace(/={1,2}$/, '').length;
      const algorithm = algorithms[Math.floor(encoding === 'hex' ? length / 2 : (length * 3) / 4)];
      if (algorithm === undefined) return [];
      const before = value.slice(0, index).replace(/(?<![\w.])\d{9,13}(?![\w.])/, '{timestamp}');
      const after = value
        .slice(index + digest.length)
        .replace(/(?<![\w.])\d{9,13}(?![\w.])/, '{timestamp}');
      return [{ format: `${before}{signature}${after}`, algorithm, encoding }];
    }),
  );
}

const isTime = (text: string) => /^1\d{9}(\d{3})?$/.test(text);
const unitOf = (text: string) => (text.length > 10 ? 'ms' : 's');

const timesIn = (headers: Headers) =>
  headers
    .filter(([, value]) => isTime(value))
    .map(([timestampHeader, value]) => ({ timestampHeader, timestampUnit: unitOf(value) }));

function unitIn(value: string) {
  const time = value.match(/\d{9,13}/g)?.find(isTime);
  return time === undefined ? undefined : { timestampUnit: unitOf(time) };
}

/** When a delivery says that it was sent, ms since 1970; `undefined` if nothing in its headers is a time. */
export function sentAt(headers: Headers): number | undefined {
  const texts = headers
    .filter(([name]) => /time|sign|date/i.test(name))
    .flatMap(([, value]) => value.match(/(?<!\w)\d{10,13}(?!\w)/g) ?? []);
  const time = texts.find(isTime);
  return time === undefined ? undefined : Number(time) * (unitOf(time) === 's' ? 1000 : 1);
}

async function verifies(
  headers: Headers,
  body: Uint8Array,
  secret: string,
  lines: Json,
): Promise<boolean> {
  const at = sentAt(headers);
  try {
    const { secretEncoding: _, ...others } = lines;
    const isToken = Object(lines['scheme']).type === 'token';
    await verifyWebhook({
      ...{ headers: headers.map(([name, value]): [string, string] => [name, value]), body },
      ...(isToken
        ? { token: secret, deployment: defineDeployment(others) }
        : { secret, deployment: defineDeployment(lines) }),
      logger: { warn() {}, error() {}, diagnose: false },
      // A saved delivery is always old.
      now: () => at ?? Date.now(),
    });
    return true;
  } catch {
    return false;
  }
}
