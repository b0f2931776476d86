import { afterEach, expect, test, vi } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { generate } from '../service/helpers.ts';

// What a mock must not leave behind in its process.

afterEach(() => {
  vi.restoreAllMocks();
});

test('after a reset on a real clock nothing that was scheduled before keeps the process alive', async () => {
  fakePlatform({ toFake: ['setTimeout', 'clearTimeout'] });
  const mock = createMockServer({ clock: 'real', processingTime: 5_000 });
  const idle = vi.getTimerCount();
  const { status } = await generate(mock, { prompt: 'p', webhookUrl: 'https://app.example/hooks' });
  expect([status, vi.getTimerCount()]).toEqual([202, idle + 1]);
  mock.reset();
  expect(vi.getTimerCount()).toBe(idle);
  await mock.close();
});

test('a stream that nobody reads does not keep the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const mock = createMockServer({ processingTime: 0 });
  const idle = timers();
  const { status } = await generate(mock, { prompt: 'p', stream: true });
  expect([status, timers()]).toEqual([200, idle]);
  await mock.close();
});

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

test.each([
  ['truncated', { truncate: 5 }],
  ['stalled', { stall: true }],
] as const)('a %s response leaves no listener on the server', async (_, effect) => {
  const mock = createMockServer({ clock: 'manual' });
  mock.faults.add({ operation: 'getUsage', effect });
  const headers = { 'X-API-Key': mock.adminKey };
  const listeners = countListeners();
  for (let round = 0; round < 20; round += 1) {
    const response = await mock.fetch(`${mock.baseUrl}/api/usage`, { headers });
    const reader = response.body?.getReader();
    await reader?.read();
    // A stalled response ends when its caller leaves, a truncated one by itself.
    if ('stall' in effect) await reader?.cancel();
    else await expect(reader?.read()).rejects.toThrow();
  }
  // The last round's response can take another turn to let go of its signal.
  await expect.poll(() => Math.max(...listeners())).toBeLessThanOrEqual(1);
});
