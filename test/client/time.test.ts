import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  completed,
  later,
  type Reaction,
  scriptedService,
  stopClock,
  turns,
  until,
  useService,
} from './support/service.ts';

/** A signal, and how many listeners it has. */
function watched() {
  const controller = new AbortController();
  const { signal } = controller;
  return { controller, signal, listeners: () => getEventListeners(signal, 'abort').length };
}

const half = JSON.stringify(completed).slice(0, 20);
const waits: [string, Reaction][] = [
  ['connecting', { fault: 'hang' }],
  [
    'reading a body that stalls',
    { chunks: [half], ending: 'stall', headers: { 'content-type': 'application/json' } },
  ],
];

describe('time', () => {
  const service = useService();
  describe.each(waits)('while %s', (_, reaction) => {
    test.each<[name: string, options: object, callOptions: object, error: object]>([
      [
        'the timeout',
        { timeout: 1000, maxRetries: 0 },
        {},
        { name: 'TimeoutError', code: 'attempt_timeout' },
      ],
      [
        'the deadline',
        { timeout: Infinity },
        { deadline: 1000 },
        { name: 'TimeoutError', code: 'deadline_exceeded', attempts: { length: 1 } },
      ],
    ])('%s ends the call, body included, and not before', async (_, options, ofCall, error) => {
      stopClock();
      service.script(reaction);
      const { client } = clientOf(service, { idleTimeout: Infinity, ...options });
      const outcome = client.usage.get(ofCall).safe();
      await until(() => service.seen.length >= 1);
      await settleBody(reaction);
      vi.advanceTimersByTime(999);
      expect(await state(outcome)).toBe('pending');
      vi.advanceTimersByTime(1);
      expect((await outcome).error).toMatchObject(error);
      await until(() => service.ended === 1);
      expect(vi.getTimerCount()).toBe(0);
    });

    test("the caller's signal ends the call at once and leaves no listener", async () => {
      stopClock();
      service.script(reaction);
      const { controller, signal, listeners } = watched();
      const { client } = clientOf(service);
      const outcome = client.usage.get({ signal }).safe();
      await until(() => service.seen.length >= 1);
      await settleBody(reaction);
      const reason = new Error('no longer needed');
      controller.abort(reason);
      const { error } = await outcome;
      expect(error).toMatchObject({ name: 'AbortedError', code: 'aborted', cause: reason });
      await until(() => service.ended === 1);
      expect([service.seen.length, listeners()]).toEqual([1, 0]);
    });
  });

  test('a stalled body runs into the idle timeout and is retried', async () => {
    stopClock();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const [, stalled] = waits[1] as [string, Reaction];
    service.script(stalled, { json: { used: 1 } });
    const { client, retries } = clientOf(service, { idleTimeout: 500, timeout: Infinity });
    const call = client.usage.get();
    await until(() => service.seen.length >= 1);
    await settleBody(stalled);
    vi.advanceTimersByTime(500);
    await until(() => retries.length === 1);
    expect(retries).toEqual([{ code: 'idle_timeout', delayMs: 0 }]);
    vi.advanceTimersByTime(0);
    expect(await call).toEqual({ used: 1 });
  });

  test('a body that arrives slowly is read for as long as it never pauses for idleTimeout', async () => {
    stopClock();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const fetch = async () => new Response(readable);
    const { client } = clientOf(service, { fetch, idleTimeout: 500, timeout: Infinity });
    const call = client.usage.get();
    await until(() => readable.locked);
    const writer = writable.getWriter();
    for (const chunk of ['{', '"used"', ':', '1', '}']) {
      await vi.advanceTimersByTimeAsync(400);
      void writer.write(new TextEncoder().encode(chunk));
    }
    await vi.advanceTimersByTimeAsync(400);
    void writer.close();
    expect(await call).toEqual({ used: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('the signal ends the wait between attempts', async () => {
    stopClock();
    service.script(later(503, 'unavailable', '3600'));
    const { controller, signal, listeners } = watched();
    const { client, retries } = clientOf(service, { maxRetryAfter: Infinity });
    const outcome = client.usage.get({ signal }).safe();
    await until(() => retries.length === 1);
    controller.abort();
    expect((await outcome).error).toMatchObject({
      name: 'AbortedError',
      attempts: [{ status: 503, delayMs: 3_600_000 }],
    });
    expect([service.seen.length, listeners(), vi.getTimerCount()]).toEqual([1, 0, 0]);
  });

  test('nothing is sent if the signal is already aborted', async () => {
    service.script({ json: { used: 0 } });
    const { client } = clientOf(service);
    const outcome = client.usage.get({ signal: AbortSignal.abort() });
    await expect(outcome).rejects.toMatchObject({ name: 'AbortedError', attempts: [] });
    expect(service.seen).toHaveLength(0);
  });

  test('a successful call leaves no listener and no timer', async () => {
    stopClock();
    service.script({ json: { used: 0 } });
    const { signal, listeners } = watched();
    await clientOf(service).client.usage.get({ signal, deadline: 5000 });
    expect([listeners(), vi.getTimerCount()]).toEqual([0, 0]);
  });
});

test('a fetch that ignores its signal does not hold up the call, and its late body is canceled', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { client } = clientOf(scriptedService(), { fetch: () => promise });
  const controller = new AbortController();
  const outcome = client.usage.get({ signal: controller.signal }).safe();
  await turns(1);
  controller.abort();
  expect((await outcome).error).toMatchObject({ name: 'AbortedError' });
  const cancel = vi.fn();
  resolve(new Response(new ReadableStream({ cancel })));
  await until(() => cancel.mock.calls.length === 1);
});

test('a body that ignores the signal does not hold up the signal and the timeout', async () => {
  const { client } = clientOf(scriptedService(), {
    fetch: async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
    maxRetries: 0,
  });
  const controller = new AbortController();
  const aborted = client.usage.get({ signal: controller.signal }).safe();
  await turns(1);
  controller.abort();
  expect((await aborted).error).toMatchObject({ name: 'AbortedError' });
  const stalled = client.usage.get({ timeout: 5 });
  await expect(stalled).rejects.toMatchObject({ code: 'attempt_timeout' });
});

async function state(promise: Promise<unknown>): Promise<'pending' | 'settled'> {
  await turns(20);
  return Promise.race([
    promise.then(() => 'settled' as const),
    Promise.resolve('pending' as const),
  ]);
}

/** Lets the first chunk of a body arrive, so that the client is waiting for the next one. */
async function settleBody(reaction: Reaction): Promise<void> {
  if (!reaction.chunks) return;
  await turns(200);
}
