import { memoryDedupe } from 'contentgen/webhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { setUp, setUpHeld } from './set-up.ts';
import { now, usage } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'setInterval', 'performance', 'clearTimeout', 'clearInterval', 'Date'],
    now: now(),
  });
});

/** Two replicas that share a store; the callback of the first does not end. */
async function replicas() {
  const shared = { dedupe: memoryDedupe(), now: Date.now };
  const first = await setUpHeld(shared);
  const second = setUp(shared);
  const send = () => second.send(usage, { timestamp: new Date() });
  return { ...first, second: { ...second, send } };
}

describe('A callback that never settles', () => {
  test('is aborted after ten minutes and logged, and another attempt runs once its lease has ended', async () => {
    const { first, signal, logger, second } = await replicas();
    await vi.advanceTimersByTimeAsync(599_000);
    expect(await second.send()).toMatchObject({ http: 503, code: 'in_flight' });
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(signal.aborted).toBe(true);
    expect(await first).toEqual({ http: 500, code: 'callback_failed' });
    expect(logger.lines).toEqual([
      expect.stringContaining('did not end within maxHandlingMs, 600000'),
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await second.send()).toEqual({ http: 200, status: 'processed' });
  });

  test('but does after its time marks the delivery all the same', async () => {
    const { first, open, second } = await replicas();
    await vi.advanceTimersByTimeAsync(600_000);
    expect((await first).http).toBe(500);
    open();
    await vi.advanceTimersByTimeAsync(0);
    expect(await second.send()).toEqual({ http: 200, status: 'duplicate' });
    expect(second.callback).not.toHaveBeenCalled();
  });
});
