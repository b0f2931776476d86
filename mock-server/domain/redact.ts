// No secret is shorter.
const SHORTEST = 13;
const REDACTED = '[redacted]';

/** What looks like a secret, wherever it stands: our own formats first, then those that other services use. */
const PATTERNS: readonly RegExp[] = [
  /\bcg_(?:live|test)_[0-9A-Za-z]{16,}/g,
  /\bwhsec_[0-9A-Za-z+/%_-]{8,}(?:={0,2}|(?:%3D){0,2})/gi,
  /\bv1[,:][0-9A-Za-z+/]{43}=/g,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /\b(?:Bearer|Basic) [\w.~+/-]{8,}=*/gi,
];

/** The text without anything that looks like a key, secret, signature or token, and without the `known` ones. */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let kept = text;
  for (const secret of known) {
    if (secret !== '' && secret.length <= text.length) kept = kept.replaceAll(secret, REDACTED);
  }
  if (text.length < SHORTEST) return kept;
  for (const pattern of PATTERNS) kept = kept.replace(pattern, REDACTED);
  return kept;
}
