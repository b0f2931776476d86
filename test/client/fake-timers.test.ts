import { describe, expect, test, vi } from 'vitest';
import { clientOf, later, problem, scriptedService, turns } from './support/service.ts';
import { delta, sse } from './support/sse.ts';

/** What each runner replaces. Only some of them replace `performance`, too. */
const sets = {
  'Vitest 1 and 2': [
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'clearImmediate',
    'Date',
  ],
  'Jest’s legacy timers': ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  'timers and performance': ['setTimeout', 'clearTimeout', 'performance', 'Date'],
} as const;

/** Not replaced by any of the sets. */
const { port1, port2 } = new MessageChannel();
const turn = () =>
  new Promise<void>((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(0);
  });

describe.each(Object.entries(sets))('with the fake timers of %s', (_, toFake) => {
  /** Lets `seconds` pass, `step` by `step`. */
  async function pass(seconds: number, step: number): Promise<void> {
    for (let second = 0; second < seconds; second += step) {
      for (let count = 0; count < 10; count += 1) await turn();
      vi.advanceTimersByTime(step * 1000);
    }
    for (let count = 0; count < 10; count += 1) await turn();
  }
  const setUp = (options = {}) => {
    vi.useFakeTimers({ toFake: [...toFake] });
    const service = scriptedService();
    return { service, ...clientOf(service, options) };
  };
  /** Lets a promise settle within these seconds, not before `from`. */
  const settleWithin = async <T>(promise: Promise<T>, from: number, to: number, step = 1) => {
    const settled = vi.fn();
    promise.then(settled, settled);
    await pass(from, step);
    expect(settled).not.toHaveBeenCalled();
    await pass(to - from, step);
    expect(settled).toHaveBeenCalled();
    return promise;
  };

  test('a call waits for Retry-After, no longer and no shorter', async () => {
    const { service, client } = setUp();
    service.script(later(503, 'unavailable', '30'), { json: { used: 1 } });
    expect(await settleWithin(client.usage.get(), 29, 31)).toEqual({ used: 1 });
  });

  test('a body that stalls runs into idleTimeout, which closes its connection', async () => {
    const { service, client } = setUp({ maxRetries: 0, timeout: Infinity, idleTimeout: 30_000 });
    service.script(sse([delta('a')], 'stall'));
    const failed = client.content.stream({ prompt: 'p' }).final();
    await expect(settleWithin(failed, 29, 33)).rejects.toMatchObject({ code: 'idle_timeout' });
    expect(service.ended).toBe(1);
  });

  test('a call that is still running is given up after ten minutes, however short its timeout is', async () => {
    const { service, client } = setUp({ backoff: { initial: 0 }, timeout: 1000 });
    const running = later(409, 'idempotency_in_progress', '30');
    service.script({ status: 502, text: 'bad gateway' }, running);
    const failed = settleWithin(client.content.generate({ prompt: 'p' }), 540, 760, 2);
    await expect(failed).rejects.toMatchObject({
      name: 'ConflictError',
      message: expect.stringContaining('still running after ten minutes'),
    });
  });

  test('polls that fail end a wait after ten minutes', async () => {
    const { service, client } = setUp({ maxRetries: 0 });
    service.script(problem(503, 'unavailable'));
    const failed = settleWithin(client.content.resume('gen_1').wait(), 540, 760, 2);
    await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
  });
});

test('real timers measure real time again after a test with fake ones', async () => {
  vi.useRealTimers();
  const service = scriptedService();
  service.script({ fault: 'hang' });
  const { client } = clientOf(service, { maxRetries: 0 });
  const start = performance.now();
  const failed = client.usage.get({ timeout: 50 });
  await expect(failed).rejects.toMatchObject({ code: 'attempt_timeout' });
  expect(performance.now() - start).toBeGreaterThan(45);
  await turns(1);
});
