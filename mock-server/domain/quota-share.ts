/** The product without what binary fractions add to it: 0.57 of 100 is 57, not 56.99999999999999. */
export function shareOf(quota: number, share: number): number {
  return Number((share * quota).toPrecision(15));
}
