/** Whether two texts are equal, in a time that depends on their lengths alone. */
function equalText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  // Past the end of `b` its code is NaN, which counts as 0: the lengths have told by then.
  for (let index = 0; index < a.length; index++)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return !difference;
}

/** Whether any expected text equals any given one; every pair is compared, none ends the loop. */
export function matchesAny(expected: readonly string[], given: readonly string[]): boolean {
  let matched = false;
  for (const one of expected) for (const other of given) matched = equalText(one, other) || matched;
  return matched;
}
