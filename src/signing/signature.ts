/** @internal */
export const encoder = /*@__PURE__*/ new TextEncoder();
/** Written and read within one call. */
const expectedRoom = /*@__PURE__*/ new Uint8Array(512);
const givenRoom = /*@__PURE__*/ new Uint8Array(512);

/**
 * Whether any expected text, of at most 256 ASCII characters, is any given one from `start` on, in a time
 * that depends on lengths alone: every pair is compared, none ends the loop.
 */
export function matchesAny(
  expected: readonly string[],
  given: readonly string[],
  start = 0,
): boolean {
  let matched = false;
  for (const one of expected) {
    encoder.encodeInto(one, expectedRoom);
    for (const other of given) {
      encoder.encodeInto(other, givenRoom);
      let difference = one.length ^ (other.length - start);
      for (let index = 0; index < one.length; index++)
        difference |= (expectedRoom[index] as number) ^ (givenRoom[start + index] as number);
      matched = !difference || matched;
    }
  }
  return matched;
}
