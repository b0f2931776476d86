import { createWebhookProcessor, type Dedupe, latestOnly, memoryDedupe } from 'contentgen/webhooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { message } from './queue-support.ts';
import {
  completed,
  firstCall,
  gate,
  makeHandler,
  now,
  recorder,
  request,
  usage,
} from './support.ts';

const updated = (second: number, source = 'catalog') => ({
  event: 'data_updated',
  organization: 'org_1',
  source,
  reason: 'external_change',
  records: second,
  updatedAt: '2026-01-01T00:00:00.000Z',
  occurredAt: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
});

function setup(callback: (records: number) => unknown, dedupe: Dedupe = memoryDedupe({ now })) {
  const latest = latestOnly(dedupe, { key: (event) => event.payload.source });
  const handler = makeHandler({
    dedupe,
    on: { data_updated: latest((event) => callback(event.payload.records)) },
  });
  let deliveries = 0;
  return async (payload: object) => {
    deliveries += 1;
    return (await handler(await request(payload, { id: `msg_${deliveries}` }))).status;
  };
}

describe('latestOnly', () => {
  test('acknowledges an event that happened before the latest one without handling it', async () => {
    const seen: number[] = [];
    const send = setup((records) => seen.push(records));
    for (const second of [2, 1, 3, 3, 2]) expect(await send(updated(second))).toBe(200);
    expect(seen).toEqual([2, 3, 3]);
  });

  test('orders only events with the same key', async () => {
    const seen: number[] = [];
    const send = setup((records) => seen.push(records));
    await send(updated(5, 'catalog'));
    await send(updated(1, 'prices'));
    expect(seen).toEqual([5, 1]);
  });

  test('counts only handled events: after a callback throws, the older event is still handled', async () => {
    const callback = vi.fn().mockRejectedValueOnce(new Error('database is down'));
    const send = setup(callback);
    expect(await send(updated(2))).toBe(500);
    expect(await send(updated(1))).toBe(200);
    expect(await send(updated(2))).toBe(200);
    expect(callback.mock.calls).toEqual([[2], [1], [2]]);
  });

  test('counts an event only once its transaction is committed, and keeps its turn until then', async () => {
    const committing = gate();
    const dedupe = memoryDedupe({ now });
    const latest = latestOnly(dedupe, { key: (event) => event.payload.source });
    const seen: number[] = [];
    const processor = createWebhookProcessor({
      dedupe,
      logger: recorder(),
      on: {
        data_updated: latest(async ({ payload }, { query }) => {
          await query?.('INSERT', []);
          seen.push(payload.records);
        }),
      },
    });
    const process = (second: number, commit: () => Promise<unknown>) =>
      processor.process(
        {
          ...message(`msg_${second}`),
          type: 'data_updated',
          body: JSON.stringify(updated(second)),
        },
        { query: async () => ({ rows: [] }), commit, rollback: async () => {} },
      );
    const newer = process(2, async () => {
      await committing.callback();
      throw new Error('serialization failure');
    });
    await committing.entered;
    const older = process(1, async () => {});
    expect(seen).toEqual([2]);
    committing.open();
    await expect(newer).rejects.toThrow('serialization failure');
    expect(await older).toEqual({ outcome: 'processed' });
    await process(3, async () => {});
    expect(await process(0, async () => {})).toEqual({ outcome: 'processed' });
    expect(seen).toEqual([2, 1, 3]);
  });

  test('handles events of one key one at a time, so that an older one never ends last', async () => {
    const order: string[] = [];
    const newer = gate();
    const send = setup(async (records) => {
      order.push(`begin ${records}`);
      if (records === 2) await newer.callback();
      order.push(`end ${records}`);
    });
    const first = send(updated(2));
    await newer.entered;
    const second = send(updated(1));
    newer.open();
    expect(await Promise.all([first, second])).toEqual([200, 200]);
    expect(order).toEqual(['begin 2', 'end 2']);
  });

  test('orders result callbacks by completedAt, and handles an event without a time', async () => {
    const seen: string[] = [];
    const dedupe = memoryDedupe({ now });
    const latest = latestOnly(dedupe, {
      key: ({ payload }) => payload.metadata?.['story'] ?? payload.organization,
    });
    const handler = makeHandler({
      dedupe,
      on: {
        generation_completed: latest(({ payload }) => seen.push(payload.result)),
        usage_threshold: latest(({ type }) => seen.push(type)),
      },
    });
    const result = (text: string, completedAt: string) => ({
      ...completed,
      result: text,
      metadata: { story: 'one' },
      completedAt,
    });
    const payloads = [
      result('second', '2026-01-01T00:00:02.000Z'),
      result('first', '2026-01-01T00:00:01.000Z'),
      usage,
      usage,
    ];
    for (const [index, payload] of payloads.entries())
      expect((await handler(await request(payload, { id: `msg_${index}` }))).status).toBe(200);
    expect(seen).toEqual(['second', 'usage_threshold', 'usage_threshold']);
  });

  test('gives up on a store that hangs after its own storeTimeoutMs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const [options, ms] of [
      [{}, 4000],
      [{ storeTimeoutMs: 300 }, 300],
    ] as const) {
      const dedupe = memoryDedupe({ now });
      const read = vi.fn(() => new Promise<never>(() => {}));
      const store = { ...dedupe, times: { read, raise: async () => {} } };
      const latest = latestOnly(store, { key: () => 'one', ...options });
      const callback = vi.fn();
      const handler = makeHandler({ dedupe, on: { data_updated: latest(callback) } });
      const pending = handler(await request(updated(1)));
      await firstCall(read);
      await vi.advanceTimersByTimeAsync(ms);
      expect((await pending).status).toBe(500);
      expect(callback).not.toHaveBeenCalled();
      // The turn was released.
      expect(await dedupe.claim('latest:turn:one', 'other')).toEqual({ state: 'claimed' });
    }
  });

  test('frees its turn after a lost response to the claim, and keeps no listener on the signals', async () => {
    const dedupe = memoryDedupe({ now });
    const claim = vi.fn(dedupe.claim).mockImplementationOnce(async (key, attemptId) => {
      await dedupe.claim(key, attemptId);
      throw new Error('connection lost');
    });
    const callback = vi.fn();
    const latest = latestOnly({ ...dedupe, claim }, { key: () => 'one' })(callback);
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const event = { id: 'msg_1', type: 'data_updated', timestamp: new Date(), payload: updated(1) };
    const handle = (attemptId: string) =>
      latest(event as never, { signal, attemptId, commitWith: async () => {} });
    await expect(handle('a')).rejects.toThrow('connection lost');
    await handle('b');
    expect(callback).toHaveBeenCalledTimes(1);
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });

  test('needs a store that keeps times, and a key', async () => {
    const { times: _, ...without } = memoryDedupe();
    for (const store of [without, undefined])
      expect(() => latestOnly(store as never, { key: () => 'a' })).toThrow(
        'not a store that it can use',
      );
    expect(() => latestOnly(memoryDedupe(), {} as never)).toThrow('key of latestOnly is undefined');
    const handler = makeHandler({
      on: { data_updated: latestOnly(memoryDedupe(), { key: () => '' })(() => {}) },
    });
    expect((await handler(await request(updated(1)))).status).toBe(500);
  });
});
