import { memoryDedupe } from 'contentgen/webhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { setUp } from './set-up.ts';
import { at, firstCall } from './support.ts';

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
