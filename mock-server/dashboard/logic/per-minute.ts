export interface Minute {
  /** When the minute began, ms. */
  readonly at: number;
  readonly good: number;
  readonly bad: number;
}

const minute = 60_000;

/** Counts what happened in each of the last `minutes` minutes, the current one last. */
export function perMinute(
  activity: readonly { readonly at: number; readonly bad: boolean }[],
  now: number,
  minutes: number,
): readonly Minute[] {
  const end = Math.floor(now / minute);
  const good = new Array<number>(minutes).fill(0);
  const bad = new Array<number>(minutes).fill(0);
  for (const { at, bad: failed } of activity) {
    const place = minutes - 1 - (end - Math.floor(at / minute));
    if (place < 0 || place >= minutes) continue;
    const counts = failed ? bad : good;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return good.map((value, place) => ({
    at: (end - minutes + 1 + place) * minute,
    good: value,
    bad: bad[place] ?? 0,
  }));
}
