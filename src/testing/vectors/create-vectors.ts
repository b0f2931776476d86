import { base64, drafting, plainStandard } from './drafting.ts';
import { forged } from './forged.ts';
import { odd } from './odd.ts';
import { valid } from './valid.ts';

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
  /** The receiver's secret, `whsec_`. */
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

/** Public test material. */
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const message = {
  id: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  body: '{"event":"usage_threshold","usage":900120}',
};

/**
 * Creates about 110 deliveries for any verifier of Standard Webhooks, with what it must say. They have the same ids and
 * comments at every time.
 *
 * @param secret - The receiver's secret, `whsec_`. Some vectors bring another one.
 * @param now - Unix seconds of the receiver.
 * @example
 * const vectors = await createSignatureVectors('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 1767225600);
 */
export async function createSignatureVectors(
  secret: string,
  now: number,
): Promise<SignatureVector[]> {
  const scheme = plainStandard();
  scheme.prepare(secret);
  const signer = { scheme, secrets: [secret], otherSecret, headers: {} };
  const catalogue = { valid, invalid: forged, acceptable: odd } as const;
  const vectors: SignatureVector[] = [];
  for (const [result, entries] of Object.entries(catalogue)) {
    for (const [flag, list] of Object.entries(entries)) {
      for (const [comment, make] of list) {
        const tools = drafting(signer, message, now);
        const { headers, body, secret: own = secret } = await make(tools);
        vectors.push({
          ...{ id: vectors.length + 1, comment, flags: [flag], secret: String(own), now },
          ...{ headers, bodyBase64: base64(body) },
          result: result as keyof typeof catalogue,
        });
      }
    }
  }
  return vectors;
}
