import { defined } from '../../options/values.ts';
import { encoder, type HmacAlgorithm, prepareHmac } from '../../signing/hmac.ts';
import { formatSecret, type WebhookSecret } from '../../signing/secret.ts';
import { type Scheme, standardScheme } from '../../signing/standard-scheme.ts';
import { fromBase64 } from '../../webhooks/diagnose-keys.ts';
import { type EnvelopeFields, envelopeFieldsOf } from '../envelope.ts';
import { digestIn } from '../tamper.ts';
import { type Flag, type FlagFacts, factsOf, type Need } from './flags.ts';

export interface Draft {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Set if it was signed with another secret than the receiver's. */
  readonly secret?: WebhookSecret;
}

interface Changes {
  readonly id?: string;
  readonly time?: number | string;
  readonly body?: string;
  readonly secret?: WebhookSecret;
}

export interface Drafting {
  readonly id: string;
  readonly body: string;
  /** Unix seconds. */
  readonly now: number;
  /** `whsec_` and base64. */
  readonly secret: string;
  /** A delivery that a sender with the secret could make. */
  signed(changes?: Changes): Promise<Draft>;
  readonly other: () => Promise<string>;
  /** The delivery with this signature; a header that is undefined is not sent. */
  withSignature(draft: Draft, signature: string | undefined): Draft;
  readonly signatureOf: (draft: Draft) => string;
  /** Where the scheme sends id and time. */
  readonly fields: EnvelopeFields;
}

export type Make = (tools: Drafting) => Promise<Draft>;

/**
 * A delivery of the catalogue, and what it needs to make sense. Those for a `verifier` are not sent to a receiver,
 * because HTTP would change them or a right one could accept them.
 */
export type Entry = readonly [comment: string, make: Make, only?: Need | 'verifier'];
export type Catalogue = Readonly<Partial<Record<Flag, readonly Entry[]>>>;

export interface Signer {
  readonly scheme: Scheme;
  readonly secrets: readonly WebhookSecret[];
  readonly otherSecret: WebhookSecret;
  readonly headers: Readonly<Record<string, string>>;
}

/** Standard Webhooks with its own headers only, as other senders send it. */
export const plainStandard = (): Scheme => {
  const scheme = standardScheme();
  return {
    ...scheme,
    signatureHeaders: ['webhook-signature'],
    async sign(input) {
      const headers = { ...(await scheme.sign(input)) };
      delete headers['X-Service-Signature'];
      return headers;
    },
  };
};

export function drafting(
  { scheme, secrets, otherSecret, headers: others }: Signer,
  { id, body }: { readonly id: string; readonly body: string },
  now: number,
): Drafting {
  const [name = ''] = scheme.signatureHeaders;
  const [secret = ''] = secrets;
  const signed: Drafting['signed'] = async (changes = {}) => {
    const given = { id, time: now, body, ...changes };
    const bytes = encoder().encode(given.body);
    const signedHeaders = await scheme.sign({
      id: given.id,
      timestamp: given.time as number,
      body: bytes,
      secrets: changes.secret ? [changes.secret] : secrets,
    });
    const { secret: own } = changes;
    return { headers: { ...signedHeaders, ...others }, body: bytes, ...(own && { secret: own }) };
  };
  const signatureOf = ({ headers }: Draft) => headers[name] ?? '';
  return {
    id,
    body,
    now,
    secret: typeof secret === 'string' ? secret : formatSecret(secret),
    signed,
    signatureOf,
    fields: envelopeFieldsOf(scheme),
    other: async () => signatureOf(await signed({ secret: otherSecret })),
    withSignature: ({ headers, body: bytes }, signature) => {
      const changed = scheme.signatureHeaders.map((header) => [header, signature]);
      return { headers: defined({ ...headers, ...Object.fromEntries(changed) }), body: bytes };
    },
  };
}

export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

export async function hmac(
  key: Uint8Array | 'decoded',
  text: string,
  { secret }: Pick<Drafting, 'secret'>,
  algorithm: HmacAlgorithm = 'sha256',
): Promise<string> {
  const bytes = key === 'decoded' ? fromBase64(secret.slice(6)) : key;
  return `v1,${await prepareHmac(algorithm, bytes).digest('', encoder().encode(text), 'base64')}`;
}

export const signed =
  (changes: (tools: Drafting) => Changes): Make =>
  (tools) =>
    tools.signed(changes(tools));

/** A delivery in which every signature is changed: what is before the digest, and the digest. */
export const changed =
  (change: (prefix: string, digest: string) => string): Make =>
  async (tools) => {
    const valid = await tools.signed();
    const signatures = tools.signatureOf(valid).split(' ');
    const all = signatures.map((signature) => {
      const [prefix, digest, rest] = digestIn(signature);
      return change(prefix, digest) + rest;
    });
    return tools.withSignature(valid, all.join(' '));
  };

export const digest = (change: (digest: string) => string): Make =>
  changed((prefix, own) => prefix + change(own));

/** A delivery with another signature, made of its own and one of another secret. */
export const signature =
  (make: (own: string, other: string, tools: Drafting) => string | Promise<string>): Make =>
  async (tools) => {
    const valid = await tools.signed();
    const value = await make(tools.signatureOf(valid), await tools.other(), tools);
    return tools.withSignature(valid, value);
  };

export const after =
  (change: (draft: Draft, tools: Drafting) => Partial<Draft>): Make =>
  async (tools) => {
    const valid = await tools.signed();
    return { ...valid, ...change(valid, tools) };
  };

/** A delivery with another id or time than the signed one; without it if it is undefined. */
export const field = (
  name: keyof EnvelopeFields,
  change: (sent: string) => string | undefined,
): Make =>
  after(({ headers }, { fields: { [name]: one } }) => ({
    headers: one.write(headers, change(one.read(headers) ?? '')),
  }));

export function sentEntries(
  catalogue: Catalogue,
): { readonly facts: FlagFacts; readonly entries: readonly Entry[] }[] {
  return Object.entries(catalogue)
    .map(([flag, entries]) => ({
      facts: factsOf(flag as Flag),
      entries: entries.filter(([, , only]) => only !== 'verifier'),
    }))
    .filter(({ entries }) => entries.length > 0);
}
