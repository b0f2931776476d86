import { memoryDedupe } from 'contentgen/webhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { setUp } from './set-up.ts';
import { at, firstCall, usage } from './support.ts';

const never = () => new Promise<never>(() => {});
const inner = () => memoryDedupe({ now: () => at * 1000 });
const processed = { http: 200, status: 'processed' };

describe('A dedupe store that hangs', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: at * 1000, toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });

  test.each([
    [{}, 4000],
    [{ storeTimeoutMs: 250 }, 250],
  ])('before the callback causes, with %j, a 503 after %i ms', async (options, ms) => {
    const claim = vi.fn(never);
    const { send, callback, logger } = setUp({ ...options, dedupe: { ...memoryDedupe(), claim } });
    const responded = vi.fn();
    const pending = send().finally(responded);
    await firstCall(claim);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(responded).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await pending).toEqual({ http: 503, retryAfter: '5', code: 'store_failed' });
    expect(callback).not.toHaveBeenCalled();
    expect(logger.lines.join()).toContain(`did not respond within ${ms} ms`);
  });

  test('but writes the claim later: the claim is freed, so the next copy need not wait', async () => {
    const store = inner();
    const resume = Promise.withResolvers<void>();
    const claim = vi
      .fn(store.claim)
      .mockImplementationOnce((...held) => resume.promise.then(() => store.claim(...held)));
    const { send, callback } = setUp({ dedupe: { ...store, claim } });
    const first = send();
    await firstCall(claim);
    await vi.advanceTimersByTimeAsync(4000);
    expect((await first).http).toBe(503);
    resume.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await send()).toEqual(processed);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('but writes the claim after a failed release: the claim is freed seconds later', async () => {
    const store = inner();
    let late: (() => unknown) | undefined;
    const claim = vi.fn(store.claim).mockImplementationOnce(async (...held) => {
      late = () => store.claim(...held);
      throw new Error('connection lost');
    });
    const release = vi.fn(store.release).mockRejectedValueOnce(new Error('connection lost'));
    const { send } = setUp({ dedupe: { ...store, claim, release } });
    expect((await send()).http).toBe(503);
    await firstCall(release);
    await late?.();
    expect((await send()).http).toBe(503);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await send()).toEqual(processed);
    expect(release).toHaveBeenCalledTimes(2);
  });

  test('during a flood of deliveries does not get a flood of releases', async () => {
    const down = () => Promise.reject(new Error('down'));
    const release = vi.fn(down);
    const { send } = setUp({ dedupe: { ...memoryDedupe(), claim: down, release } });
    await Promise.all(Array.from({ length: 300 }, (_, n) => send(usage, { id: `msg_${n}` })));
    await vi.advanceTimersByTimeAsync(5000);
    expect(release.mock.calls.length).toBeLessThanOrEqual(400);
    await vi.advanceTimersByTimeAsync(60_000);
  });

  test('after the callback causes a 200 after storeTimeoutMs, and the mark is still written', async () => {
    const store = inner();
    let hangs = true;
    const complete = vi.fn((...done: [string, string]) =>
      hangs ? never() : store.complete(...done),
    );
    const { send, logger } = setUp({ dedupe: { ...store, complete } });
    const pending = send();
    await firstCall(complete);
    await vi.advanceTimersByTimeAsync(4000);
    expect(await pending).toEqual(processed);
    expect(logger.lines.join()).toMatch(/Failed to mark webhook msg_1 as done.*retrying/);
    expect((await send()).http).toBe(503);
    hangs = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await send()).toEqual({ http: 200, status: 'duplicate' });
  });

  test('causes it no later where the clock counts fractions of a millisecond', async () => {
    const fake = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => fake() + 96.35);
    const complete = vi.fn(never);
    const pending = setUp({ dedupe: { ...inner(), complete } }).send();
    await firstCall(complete);
    await vi.advanceTimersByTimeAsync(4000);
    expect(await pending).toEqual(processed);
  });

  test('at every step delays the response by 5 s in all', async () => {
    const slow = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const store = inner();
    const claim = vi.fn((...held: [string, string]) => slow(3000).then(() => store.claim(...held)));
    const { send } = setUp({ dedupe: { ...store, claim, complete: () => slow(60_000) } });
    const responded = vi.fn();
    const pending = send().finally(responded);
    await firstCall(claim);
    await vi.advanceTimersByTimeAsync(5010);
    expect(responded).toHaveBeenCalled();
    expect(await pending).toEqual(processed);
  });

  test('for longer than the lease gets no further attempts', async () => {
    const complete = vi.fn(never);
    const dedupe = memoryDedupe({ leaseMs: 10_000, now: () => at * 1000 });
    const pending = setUp({ dedupe: { ...dedupe, complete } }).send();
    await firstCall(complete);
    await vi.advanceTimersByTimeAsync(4000);
    expect(await pending).toEqual(processed);
    await vi.advanceTimersByTimeAsync(30_000);
    const tries = complete.mock.calls.length;
    expect(tries).toBeLessThanOrEqual(6);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(complete).toHaveBeenCalledTimes(tries);
  });

  test('after a callback that threw delays the 500 by at most a second', async () => {
    const release = vi.fn(never);
    const { send, callback } = setUp({ dedupe: { ...memoryDedupe(), release } });
    callback.mockRejectedValue(new Error('no'));
    const pending = send();
    await firstCall(release);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await pending).http).toBe(500);
  });
});
