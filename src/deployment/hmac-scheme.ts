import type { SchemeData, SecretEncoding } from '../deployment-port.ts';
import { join } from '../read-up-to.ts';
import { encoder, type HmacAlgorithm, type HmacEncoding } from '../signing/hmac.ts';
import {
  type CheckInput,
  digestsOf,
  type Hmac,
  matchesAny,
  prepareKey,
  type Scheme,
  type SignInput,
  splitSignatures,
} from '../signing/standard-scheme.ts';
import { fillTemplate, type Item, itemsOf, separatorOf, valueIn } from './header-format.ts';
import { secretForm } from './secret-form.ts';

/** The characters of a digest before its padding. */
const digits: Readonly<Record<HmacEncoding, RegExp>> = {
  hex: /^[0-9a-fA-F]+$/,
  base64: /^[A-Za-z0-9+/]+$/,
  base64url: /^[A-Za-z0-9_-]+$/,
};
const bytesOf: Readonly<Record<HmacAlgorithm, number>> = { sha1: 20, sha256: 32, sha512: 64 };

function isDigest(text: string, { algorithm, encoding }: Hmac): boolean {
  const bytes = bytesOf[algorithm];
  const length = encoding === 'hex' ? bytes * 2 : Math.ceil((bytes * 4) / 3);
  const padding = encoding === 'base64' ? '='.repeat((3 - (bytes % 3)) % 3) : '';
  if (text.length !== length + padding.length) return false;
  return digits[encoding].test(text.slice(0, length)) && text.endsWith(padding);
}

export function hmacScheme(data: SchemeData, secretEncoding: SecretEncoding): Scheme {
  const {
    algorithm = 'sha256',
    encoding = 'hex',
    header = 'X-Service-Signature',
    signs = '{body}',
    format = '{signature}',
    timestampHeader,
    timestampUnit = 's',
    idHeader,
  } = data;
  const hmac: Hmac = {
    algorithm: algorithm as HmacAlgorithm,
    encoding: encoding as HmacEncoding,
    secrets: secretForm(secretEncoding),
  };
  const items = itemsOf(format);
  const isMs = timestampUnit === 'ms';
  const timeItem = items.find(({ name }) => name === 'timestamp');
  const timeHeader = timeItem ? header : timestampHeader;
  const [head = '', tail = ''] = signs.split('{body}');
  const time = timeHeader !== undefined && {
    header: timeHeader,
    read: (value: string) =>
      timeItem ? partsOf(value, format, timeItem)?.[0] : value === '' ? undefined : value,
    toSeconds: (sent: string) => {
      if (!(isMs ? /^[1-9]\d{3,14}$/ : /^[1-9]\d{0,11}$/).test(sent)) return undefined;
      return isMs ? sent.slice(0, -3) : sent;
    },
  };

  /** Digests of what is signed. Text is put in front of the body as ASCII. */
  function digests(input: SignInput | CheckInput, sentTime: string): Promise<string[]> {
    const fill = (text: string) => fillTemplate(text, { id: input.id ?? '', timestamp: sentTime });
    const { secrets } = input;
    const body = tail === '' ? input.body : join([input.body, encoder().encode(fill(tail))]);
    return digestsOf(hmac, fill(head), { body, secrets });
  }

  return {
    name: `hmac-${algorithm}-${encoding}`,
    signatureHeaders: [header],
    signsEnvelope: signs.includes('{id}'),
    signsTime: signs.includes('{timestamp}'),
    sendsEnvelope: time !== false,
    ...(idHeader !== undefined && { idHeader }),
    ...(time && { time }),
    prepare: (secret, name) => prepareKey(hmac, secret, name),
    async sign(input) {
      const sentTime = `${input.timestamp}${isMs ? '000' : ''}`;
      return {
        ...(idHeader !== undefined && { [idHeader]: input.id }),
        ...(timestampHeader !== undefined && { [timestampHeader]: sentTime }),
        [header]: writeHeader(format, items, await digests(input, sentTime), sentTime),
      };
    },
    async check(input) {
      const signatureItem = items.find(({ name }) => name === 'signature') as Item;
      const sent = partsOf(input.signature, format, signatureItem);
      if (!sent) return 'malformed_header';
      const candidates = sent
        .filter((text) => isDigest(text, hmac))
        .map((text) => (encoding === 'hex' ? text.toLowerCase() : text));
      if (candidates.length === 0) return 'no_supported_signature';
      const expected = await digests(input, input.sentTime ?? '');
      return matchesAny(expected, candidates) ? 'valid' : 'signature_mismatch';
    },
  };
}

/** The values of an item of a header; `undefined` above the caps. */
function partsOf(header: string, format: string, item: Item): readonly string[] | undefined {
  return splitSignatures(header, separatorOf(format))?.flatMap((part) => valueIn(part, item) ?? []);
}

/** The value of the header: the parts with a signature once for each secret. */
function writeHeader(
  format: string,
  items: readonly Item[],
  signatures: readonly string[],
  timestamp: string,
): string {
  const parts = items.flatMap((item) =>
    item.name === 'signature'
      ? signatures.map((signature) => fillTemplate(item.text, { signature }))
      : [fillTemplate(item.text, { timestamp })],
  );
  return parts.join(separatorOf(format));
}
