import type { WebhookSecret } from '../scheme-port.ts';
import { kindOf, misconfigured } from './errors.ts';
import { type HmacAlgorithm, type HmacKey, prepareHmac } from './hmac.ts';
import { countSecretBytes, isSecret, secretBytes, secretPrefix } from './secret-format.ts';

export type { WebhookSecret } from '../scheme-port.ts';

/** Which secrets a scheme accepts. */
export interface SecretForm {
  /** The name of the encoding. Keys are cached under it. */
  readonly name: string;
  /** The fewest bytes of a key that is given as bytes. */
  readonly least: number;
  /** The key bytes of a text; `undefined` for anything else. @throws WebhookConfigurationError for an unusable text */
  readonly read: (secret: WebhookSecret, name: string) => Uint8Array | undefined;
}

/** Limits of a raw key. A shorter one can be guessed; a longer one is a file or a buffer passed by mistake. */
export const leastBytes = 16;
export const mostBytes = 4096;
/** The form of the contract. */
export const whsecForm: SecretForm = {
  name: 'whsec',
  least: leastBytes,
  read: (secret) =>
    typeof secret === 'string' && isSecret(secret)
      ? Uint8Array.from(atob(secret.slice(secretPrefix.length)), (char) => char.charCodeAt(0))
      : undefined,
};

/** Writes key bytes as a secret: `whsec_` + base64. */
export function formatSecret(bytes: Uint8Array): string {
  return secretPrefix + btoa(String.fromCharCode(...bytes));
}

/**
 * The key bytes of a secret.
 *
 * @param name - What the error calls it, for instance `secret 2 of 3`.
 * @throws WebhookConfigurationError unless it is `whsec_` + strict base64 of 24 to 64 bytes, or a
 * `Uint8Array` of 16 to 4 096.
 */
export function parseSecret(
  secret: WebhookSecret,
  name = 'secret',
  { least, read }: SecretForm = whsecForm,
): Uint8Array {
  if (secret instanceof Uint8Array && secret.length >= least && secret.length <= mostBytes)
    return secret;
  const bytes = read(secret, name);
  if (bytes) return bytes;
  const [problem, advice] = explainSecret(secret);
  return misconfigured(`${name} ${problem}`, advice);
}

/** @throws WebhookConfigurationError for a text that is no secret in any encoding, such as a line of a .env file */
export function checkSecretText(secret: string, name: string): void {
  for (const [pattern, problem, advice] of textMistakes) {
    const found = pattern.exec(secret);
    if (found) misconfigured(`${name} ${problem.replace('$1', found[1] ?? '')}`, advice);
  }
}

/** What is wrong with an unusable secret, and what to do. Never shows the value. */
function explainSecret(secret: unknown): readonly [problem: string, advice: string] {
  if (secret === undefined || secret === null || secret === '')
    return [`is ${kindOf(secret)}`, checkVariable];
  if (typeof secret !== 'string') {
    const isBytes = secret instanceof Uint8Array;
    const kind = isBytes ? `a Uint8Array of ${secret.length} bytes` : kindOf(secret);
    return [
      `is ${kind}`,
      `Pass a whsec_ string, or the key bytes as a Uint8Array of ${leastBytes} to ${mostBytes} bytes.`,
    ];
  }
  for (const [pattern, problem, advice] of [...textMistakes, ...mistakes]) {
    const found = pattern.exec(secret);
    if (found) return [problem.replace('$1', found[1] ?? ''), advice];
  }
  const count = countSecretBytes(secret);
  if (count === undefined)
    return ['is not valid base64 after whsec_', 'Copy it again: it was cut or changed.'];
  return [`has ${count} bytes`, copyWithinLimits];
}

const copyWithinLimits = `Copy it again: a secret has ${secretBytes.least} to ${secretBytes.most} bytes.`;
const checkVariable =
  'Set the environment variable that it is read from, for instance CONTENTGEN_WEBHOOK_SECRET.';
const passSigningSecret = 'Pass the signing secret, which starts with whsec_.';

type Mistakes = readonly (readonly [pattern: RegExp, problem: string, advice: string])[];

/** Common mistakes with any text, the more specific ones first: pattern, what is wrong, what to do. */
const textMistakes: Mistakes = [
  [/^\s+$/, 'is only white space', checkVariable],
  [/^\s*(undefined|null|\[object \w+\])\s*$/, 'is the text $1', checkVariable],
  [/^\s*(["'`]).*\1\s*$/s, 'is in quotes', 'Remove the quotes.'],
  [
    /^\s*[A-Z][A-Z0-9_]*=[^=]/,
    'is a line of a .env file',
    'Pass only what follows the equals sign.',
  ],
];
/** Common mistakes with a `whsec_` secret. */
const mistakes: Mistakes = [
  [/…|\.\.\.$|^<.*>$/s, 'is a placeholder', 'Put the signing secret in its place.'],
  [/^\s|\s$/, 'begins or ends with white space', 'Trim it, line breaks included.'],
  [/\s/, 'contains white space', 'Pass several secrets as an array.'],
  [/,/, 'contains a comma', 'Pass several secrets as an array.'],
  [/^cg_/, 'is an API key', passSigningSecret],
  [
    /^(ey\w+\.|https?:|(?:wh|msg|dlv|key|wh[sp]k)_)/,
    'is something else, which starts with $1',
    passSigningSecret,
  ],
  [/^whsec_whsec_/, 'starts with whsec_ twice', 'Write the prefix once.'],
  [/^whsec_$/, 'has nothing after whsec_', 'Copy all of it.'],
  [
    /^(?!whsec_)/,
    'does not start with whsec_',
    'Pass it with its prefix, or set secretEncoding in the deployment.',
  ],
  [/^whsec_.*[-_]/, 'is base64url after whsec_', 'Write it as plain base64: + for - and / for _.'],
  [/^whsec_.{100}/, 'has more than 64 bytes', copyWithinLimits],
  [
    /^whsec_[A-Za-z0-9+/]{31,}$/,
    'lacks its base64 padding',
    'Copy it again, including the = at the end.',
  ],
];

/** Prepared keys. Strings and bytes are kept apart: a string must never find the key of equal bytes. */
const stringKeys = new Map<string, HmacKey>();
const byteKeys = new Map<string, HmacKey>();
const maxKeys = 256;

/**
 * The prepared key of a secret, from a cache of at most 256 per kind; when full, the cache is emptied.
 * Bytes are cached by value, because their owner can overwrite them.
 *
 * @throws WebhookConfigurationError when the secret is unusable.
 */
export function keyFor(
  algorithm: HmacAlgorithm,
  secret: WebhookSecret,
  name?: string,
  form: SecretForm = whsecForm,
): HmacKey {
  const isString = typeof secret === 'string';
  const cache = isString ? stringKeys : byteKeys;
  const text = isString
    ? secret
    : String.fromCharCode.apply(null, parseSecret(secret, name, form) as never);
  const cacheKey = `${algorithm} ${form.name} ${text}`;
  const cached = cache.get(cacheKey);
  if (cached) return cached;
  const key = prepareHmac(algorithm, parseSecret(secret, name, form).slice());
  if (cache.size >= maxKeys) cache.clear();
  cache.set(cacheKey, key);
  return key;
}
