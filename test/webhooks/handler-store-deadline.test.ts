import { memoryDedupe } from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import {
  at,
  completed,
  firstCall,
  makeHandler,
  recorder,
  request,
  toData,
  usage,
} from './support.ts';

describe('A dedupe store that hangs', () => {
  const stopClock = () =>
    vi.useFakeTimers({ now: at * 1000, toFake: ['setTimeout', 'clearTimeout', 'performance'] });

  test('before the callback causes a 503 after storeTimeoutMs, 4 s by default', async () => {
    for (const [options, ms] of [
      [{}, 4000],
      [{ storeTimeoutMs: 250 }, 250],
    ] as const) {
      stopClock();
      const claim = vi.fn(() => new Promise<never>(() => {}));
      const callback = vi.fn();
      const logger = recorder();
      const handler = makeHandler({
        ...options,
        logger,
        dedupe: { ...memoryDedupe(), claim },
        on: { usage_threshold: callback },
      });
      const pending = handler(await request(usage));
      const responded = vi.fn();
      void pending.then(responded);
      await firstCall(claim);
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(responded).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      const response = await pending;
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(callback).not.toHaveBeenCalled();
      expect(logger.lines.join()).toContain(`did not respond within ${ms} ms`);
      vi.useRealTimers();
    }
  });

  test('but writes the claim later: the claim is freed, so the next copy need not wait', async () => {
    stopClock();
    const inner = memoryDedupe({ now: () => at * 1000 });
    let respond = () => {};
    const responded = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const claim = vi.fn(inner.claim).mockImplementationOnce(async (key, attemptId) => {
      await responded;
      return inner.claim(key, attemptId);
    });
    const callback = vi.fn();
    const handler = makeHandler({ dedupe: { ...inner, claim }, on: { usage_threshold: callback } });
    const first = handler(await request(usage));
    await firstCall(claim);
    await vi.advanceTimersByTimeAsync(4000);
    expect((await first).status).toBe(503);
    respond();
    await new Promise((resolve) => setImmediate(resolve));
    expect((await handler(await request(usage))).status).toBe(200);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('but writes the claim after a failed release: the claim is freed seconds later', async () => {
    stopClock();
    const inner = memoryDedupe({ now: () => at * 1000 });
    let late: (() => unknown) | undefined;
    const claim = vi.fn(inner.claim).mockImplementationOnce(async (key, attemptId) => {
      late = () => inner.claim(key, attemptId);
      throw new Error('connection lost');
    });
    const release = vi.fn(inner.release).mockRejectedValueOnce(new Error('connection lost'));
    const handler = makeHandler({
      dedupe: { ...inner, claim, release },
      on: { usage_threshold: () => {} },
    });
    expect((await handler(await request(usage))).status).toBe(503);
    await firstCall(release);
    await late?.();
    expect((await handler(await request(usage))).status).toBe(503);
    await vi.advanceTimersByTimeAsync(5000);
    expect((await handler(await request(usage))).status).toBe(200);
    expect(release).toHaveBeenCalledTimes(2);
  });

  test('during a flood of deliveries does not get a flood of releases', async () => {
    stopClock();
    const release = vi.fn(async () => {
      throw new Error('down');
    });
    const claim = () => Promise.reject(new Error('down'));
    const logger = recorder();
    const handler = makeHandler({ logger, dedupe: { ...memoryDedupe(), claim, release } });
    const requests = await Promise.all(
      Array.from({ length: 300 }, (_, n) => request(usage, { id: `msg_${n}` })),
    );
    await Promise.all(requests.map(handler));
    await vi.advanceTimersByTimeAsync(5000);
    expect(release.mock.calls.length).toBeLessThanOrEqual(400);
    await vi.advanceTimersByTimeAsync(60_000);
  });

  test('after the callback causes a 200 after storeTimeoutMs, and the mark is still written', async () => {
    stopClock();
    const inner = memoryDedupe({ now: () => at * 1000 });
    let hangs = true;
    const complete = vi.fn((key: string, attemptId: string) =>
      hangs ? new Promise<never>(() => {}) : inner.complete(key, attemptId),
    );
    const logger = recorder();
    const handler = makeHandler({
      logger,
      dedupe: { ...inner, complete },
      on: { usage_threshold: () => {} },
    });
    const pending = handler(await request(usage));
    await firstCall(complete);
    await vi.advanceTimersByTimeAsync(4000);
    expect(await toData(pending)).toEqual({ http: 200, status: 'processed' });
    expect(logger.lines.join()).toMatch(/Failed to mark webhook msg_1 as done.*retrying/);
    expect((await handler(await request(usage))).status).toBe(503);
    hangs = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await toData(handler(await request(usage)))).toMatchObject({ status: 'duplicate' });
  });

  test('at every step delays the response by 5 s in all', async () => {
    stopClock();
    const slow = (ms: number) => new Promise<never>((resolve) => setTimeout(resolve, ms));
    const inner = memoryDedupe({ now: () => at * 1000 });
    const dedupe = {
      ...inner,
      claim: vi.fn(async (key: string, attemptId: string) => {
        await slow(3000);
        return inner.claim(key, attemptId);
      }),
      complete: () => slow(60_000),
    };
    const on = { generation_completed: () => {} };
    const pending = makeHandler({ dedupe, on, logger: recorder() })(await request(completed));
    const responded = vi.fn();
    void pending.then(responded);
    await firstCall(dedupe.claim);
    await vi.advanceTimersByTimeAsync(5010);
    expect(responded).toHaveBeenCalled();
    expect((await pending).status).toBe(200);
  });

  test('for longer than the lease gets no further attempts', async () => {
    stopClock();
    const complete = vi.fn(() => new Promise<never>(() => {}));
    const handler = makeHandler({
      dedupe: { ...memoryDedupe({ leaseMs: 10_000, now: () => at * 1000 }), complete },
      on: { usage_threshold: () => {} },
    });
    const pending = handler(await request(usage));
    await firstCall(complete);
    await vi.advanceTimersByTimeAsync(4000);
    expect((await pending).status).toBe(200);
    await vi.advanceTimersByTimeAsync(30_000);
    const tries = complete.mock.calls.length;
    expect(tries).toBeLessThanOrEqual(6);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(complete).toHaveBeenCalledTimes(tries);
  });

  test('after a callback that threw delays the 500 by at most a second', async () => {
    stopClock();
    const release = vi.fn(() => new Promise<never>(() => {}));
    const handler = makeHandler({
      dedupe: { ...memoryDedupe(), release },
      on: { usage_threshold: () => Promise.reject(new Error('no')) },
    });
    const pending = handler(await request(usage));
    await firstCall(release);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await pending).status).toBe(500);
  });

  test.each([0, -1, Number.NaN, '4000', null])(
    'rejects the storeTimeoutMs %o',
    (storeTimeoutMs) => {
      expect(() => makeHandler({ storeTimeoutMs: storeTimeoutMs as never })).toThrow(
        expect.objectContaining({ code: 'webhook_configuration' }),
      );
    },
  );
});
