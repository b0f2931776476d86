/** Counts effects, which a receiver with a queue has some time after its response. */
export interface Effects {
  /** The number now, once it has stopped rising after deliveries whose effects were not awaited. */
  begin(): Promise<number>;
  /** How many there are since `before`; waits until there are `expected`, or for some seconds. */
  rise(before: number, expected: number): Promise<number>;
  /** The same, when it has stopped rising. */
  rest(before: number, expected: number): Promise<number>;
  /** A delivery was sent whose effect nobody awaits. */
  lose(): void;
}

const pollMs = 100;
const patienceMs = 10_000;
const maxPauses = 10;

/** Measures time by what it waits, so that a test's clock decides. */
export function createEffects(
  count: () => number | Promise<number>,
  wait: (ms: number) => Promise<void>,
): Effects {
  let slowestMs = 0;
  let limitMs = patienceMs;
  let isDirty = true;

  async function rise(before: number, expected: number): Promise<number> {
    let found = (await count()) - before;
    let waitedMs = 0;
    for (; found < expected && waitedMs < limitMs; waitedMs += pollMs) {
      await wait(pollMs);
      found = (await count()) - before;
    }
    if (found >= expected) slowestMs = Math.max(slowestMs, waitedMs);
    // The effect of one delivery never came, so there is no reason to wait as long for the next one.
    else limitMs = Math.min(limitMs, 2 * slowestMs + 1000);
    return found;
  }

  async function rest(before: number, expected: number): Promise<number> {
    let found = await rise(before, expected);
    for (let pause = 0; pause < maxPauses; pause++) {
      await wait(slowestMs === 0 ? pollMs : Math.max(1000, 2 * slowestMs));
      const later = (await count()) - before;
      if (later === found) break;
      found = later;
    }
    return found;
  }

  return {
    rise,
    rest,
    lose() {
      isDirty = true;
    },
    async begin() {
      const before = await count();
      if (!isDirty) return before;
      isDirty = false;
      return before + (await rest(before, 0));
    },
  };
}
