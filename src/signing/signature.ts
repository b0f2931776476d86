/** Whether `given`, from `start` on, is `expected`, in a time that depends on their lengths alone. */
function equalText(expected: string, given: string, start: number): boolean {
  let difference = expected.length ^ (given.length - start);
  // Past the end of `given` its code is NaN, which counts as 0: the lengths have told by then.
  for (let index = 0; index < expected.length; index++)
    difference |= expected.charCodeAt(index) ^ given.charCodeAt(start + index);
  return !difference;
}

/**
 * Whether any expected text is any given one from `start` on; every pair is compared, none ends the loop.
 */
export function matchesAny(
  expected: readonly string[],
  given: readonly string[],
  start = 0,
): boolean {
  let matched = false;
  for (const one of expected)
    for (const other of given) matched = equalText(one, other, start) || matched;
  return matched;
}
