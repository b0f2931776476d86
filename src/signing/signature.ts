/** @internal Shared: a new encoder per delivery would cost more than the comparison. */
export const encoder = /*@__PURE__*/ new TextEncoder();

/** Scratch memory, written and read within one call. */
const expectedBytes = /*@__PURE__*/ new Uint8Array(512);
const givenBytes = /*@__PURE__*/ new Uint8Array(512);

/**
 * Whether any expected text equals any given text, in constant time: the time depends only on lengths, because
 * every pair is compared to its end.
 *
 * @param expected - Texts of at most 256 ASCII characters.
 * @param start - Where the comparison begins in each given text.
 */
export function matchesAny(
  expected: readonly string[],
  given: readonly string[],
  start = 0,
): boolean {
  let matched = false;
  for (const expectedText of expected) {
    encoder.encodeInto(expectedText, expectedBytes);
    for (const text of given) {
      encoder.encodeInto(text, givenBytes);
      let difference = expectedText.length ^ (text.length - start);
      for (let index = 0; index < expectedText.length; index++)
        difference |= (expectedBytes[index] as number) ^ (givenBytes[start + index] as number);
      matched = !difference || matched;
    }
  }
  return matched;
}
