import { type Dedupe, memoryDedupe, PermanentError } from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { bodyHmac } from '../support/body-hmac.ts';
import { setUp, setUpHeld } from './set-up.ts';
import { at, firstCall, usage } from './support.ts';

const processed = { http: 200, status: 'processed' };
const duplicate = { http: 200, status: 'duplicate' };

describe('A duplicate', () => {
  test('of a handled delivery gets a 200 without running the callback, whatever its signed time', async () => {
    const { send, callback } = setUp();
    await send();
    expect(await send(usage, { timestamp: at + 200 })).toEqual(duplicate);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('of a delivery in flight gets a 503 with Retry-After, and a 200 once that delivery is done', async () => {
    const { send, first, open } = await setUpHeld();
    expect(await send()).toEqual({ http: 503, retryAfter: '10', code: 'in_flight' });
    open();
    expect(await first).toEqual(processed);
    expect(await send()).toEqual(duplicate);
  });

  test.each([
    [1, '1'],
    [4200, '5'],
  ])(
    'of a delivery whose lease lasts another %i ms can be retried after %s s',
    async (leftMs, retryAfter) => {
      const claim = async () => ({ state: 'in_flight', leftMs }) as const;
      const { send } = setUp({ dedupe: { ...memoryDedupe(), claim } });
      expect(await send()).toMatchObject({ retryAfter });
    },
  );

  test('under a scheme that signs no id is recognized by its body, even with a forged id', async () => {
    const scheme = bodyHmac();
    const { send, callback, logger } = setUp({ scheme });
    for (const id of ['msg_1', 'msg_1']) await send(usage, { scheme, id });
    expect(logger.lines).toEqual([]);
    for (const id of ['msg_2', 'msg_3']) await send(usage, { scheme, id });
    expect(callback).toHaveBeenCalledTimes(1);
    expect(logger.lines).toEqual([
      expect.stringContaining('msg_2 has the body of msg_1, and this scheme signs only the body'),
    ]);
  });

  test('is told apart by dedupeKey: by an unsigned id, and by tenants that share ids', async () => {
    const scheme = bodyHmac();
    const unsigned = setUp({ scheme, dedupeKey: ({ id }) => id });
    for (const id of ['msg_1', 'msg_1', 'msg_2']) await unsigned.send(usage, { scheme, id });
    expect(unsigned.callback).toHaveBeenCalledTimes(2);
    const tenants = setUp({ dedupeKey: ({ id }, { url }) => `${new URL(url).pathname} ${id}` });
    for (const path of ['a', 'b', 'b'])
      await tenants.send(usage, {}, { url: `https://a.example/${path}` });
    expect(tenants.callback).toHaveBeenCalledTimes(2);
  });

  test('of a PermanentError does not run the callback, until the delivery is forgotten', async () => {
    const dedupe = memoryDedupe();
    const { send, callback } = setUp({ dedupe });
    callback.mockRejectedValueOnce(new PermanentError('unknown customer'));
    expect(await send()).toEqual({ http: 200, status: 'permanent_error' });
    expect(await send()).toEqual(duplicate);
    expect(await dedupe.forget('msg_1')).toBe(true);
    expect(await send()).toEqual(processed);
  });
});

test('A type without a callback is acknowledged without the store, and handled once it has one and is sent again', async () => {
  const dedupe = memoryDedupe();
  const claim = vi.spyOn(dedupe, 'claim');
  expect(await setUp({ dedupe, on: {} }).send()).toEqual({ http: 200, status: 'ignored' });
  expect(claim).not.toHaveBeenCalled();
  expect(await setUp({ dedupe }).send()).toEqual(processed);
});

describe('The lease', () => {
  const hold = (dedupe: Dedupe, options = {}) => {
    vi.useFakeTimers({ now: at * 1000 });
    return setUpHeld({ dedupe, ...options });
  };

  test('is renewed while the callback runs', async () => {
    const options = { now: () => Date.now(), tolerance: 3600 };
    const { send, first, open } = await hold(memoryDedupe({ leaseMs: 60_000 }), options);
    await vi.advanceTimersByTimeAsync(300_000);
    expect((await send()).http).toBe(503);
    open();
    expect(await first).toEqual(processed);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not lost when one renewal fails', async () => {
    const renew = vi.fn(() => {
      throw new Error('store is down');
    });
    const { first, open, signal } = await hold({ ...memoryDedupe({ leaseMs: 60_000 }), renew });
    await vi.advanceTimersByTimeAsync(45_000);
    expect([renew.mock.calls.length, signal.aborted]).toEqual([2, false]);
    open();
    expect(await first).toEqual(processed);
  });

  test('that was not renewed before it expired aborts the callback’s signal', async () => {
    const renew = () => new Promise<boolean>(() => {});
    const { first, open, signal } = await hold({ ...memoryDedupe({ leaseMs: 60_000 }), renew });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(signal.aborted).toBe(true);
    open();
    await first;
  });

  test('that is lost aborts the callback’s signal, and a callback that stops gets a 503', async () => {
    vi.useFakeTimers({ now: at * 1000 });
    const { send, callback } = setUp({ dedupe: { ...memoryDedupe(), renew: async () => false } });
    const begun = Promise.withResolvers<AbortSignal>();
    callback.mockImplementation((_, { signal }) => {
      begun.resolve(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    });
    const pending = send();
    const signal = await begun.promise;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await pending).toMatchObject({ http: 503, code: 'lease_lost' });
    expect(signal.reason).toMatchObject({ code: 'webhook_lease_lost' });
  });
});

describe('A failing dedupe store', () => {
  const stopClock = () =>
    vi.useFakeTimers({ now: at * 1000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const down = () => Promise.reject(new Error('store is down'));
  const throws = () => {
    throw new Error('store is down');
  };

  test.each([
    ['rejects', down],
    ['throws', throws],
  ])('that %s before the callback causes a 503 without running it', async (_, claim) => {
    const { send, callback, logger } = setUp({ dedupe: { ...memoryDedupe(), claim } });
    expect(await send()).toEqual({ http: 503, retryAfter: '5', code: 'store_failed' });
    expect(callback).not.toHaveBeenCalled();
    expect(logger.lines.join()).toContain('store is down');
  });

  test('after the callback is retried until the mark is written, and only then comes the response', async () => {
    stopClock();
    const inner = memoryDedupe({ now: () => at * 1000 });
    const complete = vi
      .fn(inner.complete)
      .mockImplementationOnce(down)
      .mockImplementationOnce(throws)
      .mockImplementationOnce(down);
    const { send, callback, logger } = setUp({ dedupe: { ...inner, complete } });
    const responded = vi.fn();
    const pending = send().finally(responded);
    await firstCall(complete);
    await vi.advanceTimersByTimeAsync(2099);
    expect([complete.mock.calls.length, responded.mock.calls]).toEqual([3, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await pending).toEqual(processed);
    expect(complete).toHaveBeenCalledTimes(4);
    expect(logger.lines).toEqual([]);
    expect(await send()).toEqual(duplicate);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('that keeps failing after the callback causes a 200 and a log line, because a retry would repeat the effect', async () => {
    stopClock();
    const complete = vi.fn(down);
    const { send, logger } = setUp({ dedupe: { ...memoryDedupe(), complete } });
    const pending = send();
    await firstCall(complete);
    await vi.advanceTimersByTimeAsync(2100);
    expect(await pending).toEqual(processed);
    expect(complete).toHaveBeenCalledTimes(4);
    expect(logger.lines).toEqual([
      expect.stringMatching(/Failed to mark webhook msg_1 as done.*store is down/),
    ]);
  });
});
