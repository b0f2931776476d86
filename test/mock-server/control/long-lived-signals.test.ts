import { afterEach, expect, test, vi } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';

/** For each signal that has been given an `abort` listener since the call, how many it has now. */
function countListeners(): () => number[] {
  const counts = new Map<unknown, number>();
  for (const [name, step] of [
    ['addEventListener', 1],
    ['removeEventListener', -1],
  ] as const) {
    const original = EventTarget.prototype[name];
    vi.spyOn(AbortSignal.prototype, name).mockImplementation(function (
      this: AbortSignal,
      ...args: Parameters<typeof original>
    ) {
      if (args[0] === 'abort') counts.set(this, (counts.get(this) ?? 0) + step);
      return original.apply(this, args);
    });
  }
  return () => [...counts.values()];
}

afterEach(() => {
  vi.restoreAllMocks();
});

const ROUNDS = 20;

test.each([
  ['truncated', { truncate: 5 }],
  ['stalled', { stall: true }],
] as const)('a %s response leaves no listener on the server', async (_, effect) => {
  const mock = createMockServer({ clock: 'manual' });
  mock.faults.add({ operation: 'getUsage', effect });
  const listeners = countListeners();
  for (let round = 0; round < ROUNDS; round += 1) {
    const response = await mock.fetch(`${mock.baseUrl}/api/usage`, {
      headers: { 'X-API-Key': mock.adminKey },
    });
    const reader = response.body?.getReader();
    await reader?.read();
    // A stalled response ends when its caller leaves, a truncated one by itself.
    if ('stall' in effect) await reader?.cancel();
    else await expect(reader?.read()).rejects.toThrow();
  }
  expect(Math.max(...listeners())).toBeLessThanOrEqual(1);
});
