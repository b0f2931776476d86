import {
  type Dedupe,
  type DeliveryReport,
  memoryDedupe,
  PermanentError,
} from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { bodyHmac } from '../support/body-hmac.ts';
import { at, firstCall, gate, makeHandler, recorder, request, toData, usage } from './support.ts';

describe('A duplicate', () => {
  test('of a handled delivery gets a 200 without running the callback, whatever its signed time', async () => {
    const callback = vi.fn();
    const handler = makeHandler({ on: { usage_threshold: callback } });
    await handler(await request(usage));
    const again = handler(await request(usage, { timestamp: at + 200 }));
    expect(await toData(again)).toEqual({ http: 200, status: 'duplicate' });
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('of a delivery in flight gets a 503 with Retry-After, and a 200 once that delivery is done', async () => {
    const { callback, entered, open } = gate();
    const handler = makeHandler({ on: { usage_threshold: callback } });
    const first = handler(await request(usage));
    await entered;
    const second = await handler(await request(usage));
    expect(second.status).toBe(503);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    open();
    expect((await first).status).toBe(200);
    expect(await toData(handler(await request(usage)))).toMatchObject({ status: 'duplicate' });
  });

  test.each([
    [1, '1'],
    [4200, '5'],
    [60_000, '10'],
  ])(
    'of a delivery whose lease lasts another %i ms can be retried after %s s',
    async (leftMs, seconds) => {
      const claim = async () => ({ state: 'in_flight', leftMs }) as const;
      const on = { usage_threshold: () => {} };
      const handler = makeHandler({ dedupe: { ...memoryDedupe(), claim }, on });
      const response = await handler(await request(usage));
      expect(response.headers.get('retry-after')).toBe(seconds);
    },
  );

  test('under a scheme that signs no id is recognized by its body, even with a forged id', async () => {
    const scheme = bodyHmac();
    const callback = vi.fn();
    const logger = recorder();
    const handler = makeHandler({ logger, scheme, on: { usage_threshold: callback } });
    await handler(await request(usage, { scheme, id: 'msg_1' }));
    await handler(await request(usage, { scheme, id: 'msg_1' }));
    expect(logger.lines).toEqual([]);
    for (const id of ['msg_2', 'msg_3']) await handler(await request(usage, { scheme, id }));
    expect(callback).toHaveBeenCalledTimes(1);
    expect(logger.lines).toEqual([
      expect.stringContaining('msg_2 has the body of msg_1, and this scheme signs only the body'),
    ]);
  });

  test('is told apart by dedupeKey when tenants share ids', async () => {
    const callback = vi.fn();
    const handler = makeHandler({
      on: { usage_threshold: callback },
      dedupeKey: (event, { url }) => `${new URL(url).pathname} ${event.id}`,
    });
    await handler(await request(usage, {}, { url: 'https://app.example/a' }));
    await handler(await request(usage, {}, { url: 'https://app.example/b' }));
    await handler(await request(usage, {}, { url: 'https://app.example/b' }));
    expect(callback).toHaveBeenCalledTimes(2);
  });
});

describe('A type without a callback', () => {
  test('is acknowledged without the store, and handled once it has a callback and is sent again', async () => {
    const dedupe = memoryDedupe();
    const claim = vi.spyOn(dedupe, 'claim');
    const before = makeHandler({ dedupe });
    expect(await toData(before(await request(usage)))).toEqual({ http: 200, status: 'ignored' });
    expect(claim).not.toHaveBeenCalled();
    const callback = vi.fn();
    const after = makeHandler({ dedupe, on: { usage_threshold: callback } });
    expect(await toData(after(await request(usage)))).toMatchObject({ status: 'processed' });
    expect(callback).toHaveBeenCalledTimes(1);
  });
});

describe('A PermanentError', () => {
  test('keeps a copy from running the callback, until the delivery is forgotten', async () => {
    const dedupe = memoryDedupe();
    const callback = vi.fn().mockRejectedValueOnce(new PermanentError('unknown customer'));
    const handler = makeHandler({ dedupe, logger: recorder(), on: { usage_threshold: callback } });
    const sent = async () => toData(handler(await request(usage)));
    expect(await sent()).toMatchObject({ status: 'permanent_error' });
    expect(await sent()).toMatchObject({ status: 'duplicate' });
    expect(await dedupe.forget('msg_1')).toBe(true);
    expect(await sent()).toMatchObject({ status: 'processed' });
  });
});

describe('The lease', () => {
  test('of months is not renewed in a tight loop', async () => {
    vi.useFakeTimers({ now: at * 1000 });
    const { callback, entered, open } = gate();
    const dedupe = memoryDedupe({ leaseMs: 8e9, ttlMs: 9e9 });
    const renew = vi.spyOn(dedupe, 'renew');
    const setTimer = vi.spyOn(globalThis, 'setInterval');
    const handler = makeHandler({ dedupe, on: { usage_threshold: callback } });
    const first = handler(await request(usage));
    await entered;
    expect(setTimer.mock.lastCall?.[1]).toBeLessThan(2 ** 31);
    setTimer.mockRestore();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(renew).not.toHaveBeenCalled();
    open();
    expect((await first).status).toBe(200);
  });

  test('is renewed while the callback runs', async () => {
    vi.useFakeTimers({ now: at * 1000 });
    const { callback, entered, open } = gate();
    const dedupe = memoryDedupe({ leaseMs: 60_000 });
    const handler = makeHandler({
      now: Date.now,
      tolerance: 3600,
      dedupe,
      on: { usage_threshold: callback },
    });
    const first = handler(await request(usage));
    await entered;
    await vi.advanceTimersByTimeAsync(300_000);
    expect((await handler(await request(usage))).status).toBe(503);
    open();
    expect((await first).status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not lost when one renewal fails', async () => {
    vi.useFakeTimers({ now: at * 1000 });
    const { callback, entered, open } = gate();
    const renew = vi.fn(() => {
      throw new Error('store is down');
    });
    const dedupe: Dedupe = { ...memoryDedupe({ leaseMs: 60_000 }), renew };
    const handler = makeHandler({ dedupe, on: { usage_threshold: callback } });
    const first = handler(await request(usage));
    await entered;
    await vi.advanceTimersByTimeAsync(45_000);
    expect(renew).toHaveBeenCalledTimes(2);
    open();
    expect((await first).status).toBe(200);
  });

  test('that was not renewed before it expired aborts the callback’s signal', async () => {
    vi.useFakeTimers({ now: at * 1000 });
    const { callback, entered, open } = gate();
    const hangs = () => new Promise<boolean>(() => {});
    const dedupe: Dedupe = { ...memoryDedupe({ leaseMs: 60_000 }), renew: hangs };
    let aborted = () => false;
    const handler = makeHandler({
      dedupe,
      on: {
        usage_threshold: (_event, { signal }) => {
          aborted = () => signal.aborted;
          return callback();
        },
      },
    });
    const pending = handler(await request(usage));
    await entered;
    await vi.advanceTimersByTimeAsync(59_000);
    expect(aborted()).toBe(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(aborted()).toBe(true);
    open();
    await pending;
  });

  test('that is lost aborts the callback’s signal', async () => {
    vi.useFakeTimers({ now: at * 1000 });
    const inner = memoryDedupe();
    const dedupe: Dedupe = { ...inner, renew: async () => false };
    let reason: unknown;
    // With Web Crypto, the lease's timer is set several turns of the real event loop later.
    const { callback, entered } = gate();
    const handler = makeHandler({
      dedupe,
      on: {
        usage_threshold: (_event, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reason = signal.reason;
              reject(signal.reason);
            });
            void callback();
          }),
      },
    });
    const pending = handler(await request(usage));
    await entered;
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await pending).status).toBe(503);
    expect(reason).toMatchObject({ code: 'webhook_lease_lost' });
  });
});

describe('A callback that throws', () => {
  test('is reported to onDelivery with what it threw', async () => {
    const reports: DeliveryReport[] = [];
    const fail = (error: unknown) => () => Promise.reject(error);
    for (const error of [new Error('The disk is full.'), new PermanentError('never'), undefined]) {
      const on = error ? { usage_threshold: fail(error) } : {};
      const onDelivery = (report: DeliveryReport) => void reports.push(report);
      await makeHandler({ on, onDelivery, logger: recorder() })(await request(usage));
    }
    expect(reports.map(({ outcome, error }) => [outcome, String(error)])).toEqual([
      ['callback_failed', 'Error: The disk is full.'],
      ['permanent_error', 'PermanentError: never'],
      ['ignored', 'undefined'],
    ]);
  });
});

describe('A failing dedupe store', () => {
  const stopClock = () =>
    vi.useFakeTimers({ now: at * 1000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });

  const broken = (part: keyof Dedupe): Dedupe => ({
    ...memoryDedupe(),
    [part]: () => Promise.reject(new Error('store is down')),
  });

  test('before the callback causes a 503 without running it', async () => {
    const callback = vi.fn();
    const logger = recorder();
    const handler = makeHandler({
      logger,
      dedupe: broken('claim'),
      on: { usage_threshold: callback },
    });
    const response = await handler(await request(usage));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(callback).not.toHaveBeenCalled();
    expect(logger.lines.join()).toContain('store is down');
  });

  test('that throws synchronously does the same', async () => {
    const claim = () => {
      throw new Error('store is down at once');
    };
    const logger = recorder();
    const on = { usage_threshold: () => {} };
    const handler = makeHandler({ on, logger, dedupe: { ...memoryDedupe(), claim } });
    expect((await handler(await request(usage))).status).toBe(503);
    expect(logger.lines.join()).toContain('store is down at once');
  });

  test('after the callback is retried until the mark is written, and only then comes the response', async () => {
    stopClock();
    const inner = memoryDedupe({ now: () => at * 1000 });
    const complete = vi
      .fn(inner.complete)
      .mockRejectedValueOnce(new Error('store is down'))
      .mockImplementationOnce(() => {
        throw new Error('store is down at once');
      })
      .mockRejectedValueOnce(new Error('store is down'));
    const callback = vi.fn();
    const logger = recorder();
    const handler = makeHandler({
      logger,
      dedupe: { ...inner, complete },
      on: { usage_threshold: callback },
    });
    let responded = false;
    const pending = handler(await request(usage)).finally(() => {
      responded = true;
    });
    await firstCall(complete);
    await vi.advanceTimersByTimeAsync(2099);
    expect([complete.mock.calls.length, responded]).toEqual([3, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await pending).status).toBe(200);
    expect(complete.mock.calls.length).toBe(4);
    expect(logger.lines).toEqual([]);
    expect(await toData(handler(await request(usage)))).toMatchObject({ status: 'duplicate' });
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('that keeps failing after the callback causes a 200 and a log line, because a retry would repeat the effect', async () => {
    stopClock();
    const dedupe = broken('complete');
    const complete = vi.spyOn(dedupe, 'complete');
    const logger = recorder();
    const handler = makeHandler({ logger, dedupe, on: { usage_threshold: () => {} } });
    const pending = handler(await request(usage));
    await firstCall(complete);
    await vi.advanceTimersByTimeAsync(2100);
    expect(await toData(pending)).toEqual({ http: 200, status: 'processed' });
    expect(complete).toHaveBeenCalledTimes(4);
    expect(logger.lines).toHaveLength(1);
    expect(logger.lines[0]).toMatch(/Failed to mark webhook msg_1 as done.*store is down/);
  });

  test('after a failed callback is tried once before the 500, then in the background', async () => {
    const dedupe = broken('release');
    const release = vi.spyOn(dedupe, 'release');
    const handler = makeHandler({
      dedupe,
      on: { usage_threshold: () => Promise.reject(new Error('no')) },
    });
    expect((await handler(await request(usage))).status).toBe(500);
    expect(release).toHaveBeenCalledTimes(1);
  });
});
