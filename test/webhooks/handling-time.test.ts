import { memoryDedupe } from 'contentgen/webhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { firstCall, gate, makeHandler, now, recorder, request, toData, usage } from './support.ts';

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'setInterval', 'performance', 'clearTimeout', 'clearInterval', 'Date'],
      now: now(),
    }),
);
/** Two replicas that share a store. */
function replicas(callback: (event: unknown, context: { signal: AbortSignal }) => unknown) {
  const logger = recorder();
  const dedupe = memoryDedupe();
  const make = () =>
    makeHandler({ dedupe, logger, now: Date.now, on: { usage_threshold: callback } });
  return { first: make(), second: make(), logger };
}

describe('A callback that never settles', () => {
  test('is aborted after ten minutes and logged, and another attempt runs once its lease has ended', async () => {
    const signals: AbortSignal[] = [];
    const callback = vi.fn((_event: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return signals.length === 1 ? new Promise(() => {}) : undefined;
    });
    const { first, second, logger } = replicas(callback);
    const send = (handler: typeof first) =>
      request(usage, { timestamp: new Date() }).then((delivery) => toData(handler(delivery)));
    const stuck = send(first);
    await firstCall(callback);
    await vi.advanceTimersByTimeAsync(599_000);
    expect(await send(second)).toMatchObject({ http: 503, code: 'in_flight' });
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(signals[0]?.aborted).toBe(true);
    expect(await stuck).toEqual({ http: 500, code: 'callback_failed' });
    expect(logger.lines).toEqual([
      expect.stringContaining('did not end within maxHandlingMs, 600000'),
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await send(second)).toEqual({ http: 200, status: 'processed' });
    expect(callback).toHaveBeenCalledTimes(2);
  });

  test('but does after its time marks the delivery all the same', async () => {
    const { callback, open } = gate();
    const called = vi.fn(callback);
    const { first, second } = replicas(called);
    const send = (handler: typeof first) =>
      request(usage, { timestamp: new Date() }).then((delivery) => toData(handler(delivery)));
    const late = send(first);
    await firstCall(called);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await late).toMatchObject({ http: 500 });
    open();
    await vi.advanceTimersByTimeAsync(0);
    expect(await send(second)).toEqual({ http: 200, status: 'duplicate' });
    expect(called).toHaveBeenCalledTimes(1);
  });
});

test('maxHandlingMs must be a finite number of at least 10', () => {
  for (const maxHandlingMs of [0, 9, Number.NaN, Infinity])
    expect(() => makeHandler({ maxHandlingMs })).toThrow(TypeError);
});
