import { encoder } from '../../signing/hmac.ts';
import { standardScheme } from '../../signing/scheme.ts';

/** What a verifier must say: `acceptable` is wrong either way only in taste, because nobody gains by it. */
export type VectorResult = 'valid' | 'invalid' | 'acceptable';

/** One delivery, and what a verifier of Standard Webhooks must say about it. */
export interface SignatureVector {
  /** Its place in the list. */
  readonly id: number;
  /** What is special about it. */
  readonly comment: string;
  /** What kind of mistake it finds. */
  readonly flags: readonly string[];
  /** The receiver's secret, `whsec_`. Public test material. */
  readonly secret: string;
  /** The receiver's time in Unix seconds; the tolerance is 300 s. */
  readonly now: number;
  /** The headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body. */
  readonly bodyBase64: string;
  /** What a verifier must say. */
  readonly result: VectorResult;
}

/** A delivery before it becomes a vector. */
export interface Draft {
  readonly comment: string;
  readonly flags: readonly string[];
  readonly secret: string;
  /** A header that is undefined is not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** What the drafts are made with. */
export interface Drafting {
  readonly now: number;
  readonly secret: string;
  readonly otherSecret: string;
  readonly id: string;
  readonly body: string;
  /** One signature as the standard writes it. */
  sign(parts?: Changes): Promise<string>;
  /** HMAC of any bytes, as a signature. */
  hmac(key: Uint8Array, text: string, hash?: 'SHA-1' | 'SHA-256' | 'SHA-512'): Promise<string>;
  /** A delivery that is right but for what is given. */
  draft(
    comment: string,
    flag: string,
    signature: string | undefined | Promise<string>,
    changes?: Changes,
  ): Promise<Draft>;
  /** A delivery with these changes, which are signed too. */
  signed(comment: string, flag: string, changes: Changes): Promise<Draft>;
}

interface Changes {
  readonly secret?: string;
  readonly id?: string | undefined;
  readonly time?: number | string | undefined;
  readonly body?: string | Uint8Array;
}

/** Bytes as base64. */
export const base64 = (bytes: Uint8Array) => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};
const toBytes = (body: string | Uint8Array) =>
  typeof body === 'string' ? encoder().encode(body) : body;

/** Makes deliveries for a receiver's time. */
export function drafting(now: number): Drafting {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const id = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';
  const body = '{"event":"usage_threshold","usage":900120}';
  const hmac: Drafting['hmac'] = async (key, text, hash = 'SHA-256') => {
    const raw = key as Uint8Array<ArrayBuffer>;
    const algorithm = { name: 'HMAC', hash };
    const imported = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign']);
    const digest = await crypto.subtle.sign('HMAC', imported, encoder().encode(text));
    return `v1,${base64(new Uint8Array(digest))}`;
  };
  const sign: Drafting['sign'] = async (parts = {}) => {
    const given = { secret, id, time: now, body, ...parts };
    const input = {
      id: given.id ?? '',
      timestamp: given.time as number,
      body: toBytes(given.body),
      secrets: [given.secret],
    };
    const headers = await standardScheme().sign(input);
    return headers['webhook-signature'] ?? '';
  };
  const draft: Drafting['draft'] = async (comment, flag, signature, changes = {}) => {
    const given = { secret, id, time: now, body, ...changes };
    return {
      comment,
      flags: [flag],
      secret: given.secret,
      headers: {
        'webhook-id': given.id,
        'webhook-timestamp': given.time === undefined ? undefined : String(given.time),
        'webhook-signature': await signature,
      },
      body: toBytes(given.body),
    };
  };
  return {
    now,
    secret,
    otherSecret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    id,
    body,
    hmac,
    sign,
    draft,
    signed: (comment, flag, changes) => draft(comment, flag, sign(changes), changes),
  };
}
