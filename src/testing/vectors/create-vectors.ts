import { defined } from '../../options/values.ts';
import { base64, drafting, type SignatureVector } from './draft.ts';
import { forgedVectors } from './forged.ts';
import { oddVectors } from './odd.ts';
import { validVectors } from './valid.ts';

/**
 * Deliveries for any verifier of Standard Webhooks, with what it must say: the content of `contentgen/vectors`, signed
 * for another time. They have the same ids and comments at every time.
 *
 * @param now - Unix seconds of the receiver.
 */
export async function createSignatureVectors(now: number): Promise<SignatureVector[]> {
  const tools = drafting(now);
  const groups = [
    ['valid', await validVectors(tools)],
    ['invalid', await forgedVectors(tools)],
    ['acceptable', await oddVectors(tools)],
  ] as const;
  const drafts = groups.flatMap(([result, list]) =>
    list.map(async (draft) => ({ ...(await draft), result })),
  );
  return (await Promise.all(drafts)).map(({ headers, body, ...draft }, index) => ({
    id: index + 1,
    comment: draft.comment,
    flags: draft.flags,
    secret: draft.secret,
    now,
    headers: defined(headers),
    bodyBase64: base64(body),
    result: draft.result,
  }));
}
