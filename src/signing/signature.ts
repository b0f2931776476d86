/** Most tokens that a signature header may list; more is refused unread. */
export const maxTokens = 16;
/** Most bytes of a signature header. */
export const maxHeaderLength = 2048;

/** Whether two texts are equal, in a time that depends on their lengths alone. */
export function equalText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

/** Why a signature header can hold nothing to compare. */
export type SignatureListProblem =
  | 'malformed_header'
  | 'duplicate_header'
  | 'no_supported_signature';

/**
 * The tokens of a space separated list that `supported` matches, without their `lead`; the others are
 * skipped, so that later versions may sign beside ours. Two header lines that HTTP joined with a comma
 * are ambiguous and refused.
 */
export function readSignatures(
  header: string,
  lead: string,
  supported: RegExp,
): string[] | SignatureListProblem {
  if (header.length > maxHeaderLength) return 'malformed_header';
  const tokens = header.trim().split(/[ \t]+/);
  if (tokens.length > maxTokens) return 'malformed_header';
  const found: string[] = [];
  for (const token of tokens) {
    const comma = token.indexOf(',', lead.length);
    const joined = comma === token.length - 1 || supported.test(token.slice(0, comma));
    if (comma > 0 && joined) return 'duplicate_header';
    if (token.startsWith(lead) && supported.test(token)) found.push(token.slice(lead.length));
  }
  return found.length > 0 ? found : 'no_supported_signature';
}

/** Whether any expected signature equals any given one; every pair is compared, none ends the loop. */
export function matchesAny(expected: readonly string[], given: readonly string[]): boolean {
  let matched = false;
  for (const one of expected) for (const other of given) matched = equalText(one, other) || matched;
  return matched;
}
