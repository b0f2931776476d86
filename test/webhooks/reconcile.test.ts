import {
  createWebhookProcessor,
  memoryDedupe,
  PermanentError,
  plainHmac,
  type ReconcileProgress,
  reconcile,
  type WebhookMessage,
} from 'contentgen/webhooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { outage, url } from './reconcile-support.ts';
import { gate, recorder, secret } from './support.ts';

describe('reconcile', () => {
  test('after three days without a receiver produces every effect exactly once', async () => {
    const { mock, now, client, effects, start, down, up } = outage();
    await client.webhooks.create({ event: 'invoice_paid', url, secret });
    up();
    const before = [await start(), await start()];
    await mock.settle();
    expect(effects.size).toBe(2);

    down();
    const during = [];
    for (let hour = 0; hour < 72; hour += 6) {
      during.push(await start());
      if (hour % 24 === 0) mock.trigger('invoice_paid', {});
      await mock.clock.advance('6 hours');
    }
    expect(effects.size).toBe(2);

    const handler = up();
    const seen: ReconcileProgress[] = [];
    const report = await reconcile({
      client,
      handler,
      since: '4 days',
      now,
      onProgress: (progress) => seen.push(progress),
    });
    expect(report).toMatchObject({
      checked: 2 + 12 + 3,
      missed: 15,
      delivered: 15,
      requested: 3,
      duplicates: 0,
      failed: 0,
      failures: [],
    });
    expect(seen).toHaveLength(15);
    expect(seen.at(-1)?.delivered).toBe(15);
    for (const { requestId } of [...before, ...during])
      expect(effects.get(`${requestId} true`), requestId).toBe(1);

    // The service also sends its scheduled retries, and what it was asked to redeliver.
    await mock.clock.advance('9 days');
    expect(effects.size).toBe(2 + 12 + 3);
    expect([...effects.values()].every((times) => times === 1)).toBe(true);

    const again = await reconcile({ client, handler, since: report.next, now });
    expect(again).toMatchObject({ delivered: 0, failed: 0 });
    expect([...effects.values()].every((times) => times === 1)).toBe(true);
  });

  test('feeds a processor the same way, and its dedupe store knows what a handler has done', async () => {
    const { mock, now, client, effects, start, down, up, on, dedupe } = outage();
    down();
    const job = await start();
    await mock.clock.advance('6 days');
    const processor = createWebhookProcessor({ on, dedupe, now, logger: recorder() });
    expect(await reconcile({ client, processor, since: '7 days', now })).toMatchObject({
      delivered: 1,
      duplicates: 0,
    });
    // The service still lists it as failed.
    expect(await reconcile({ client, processor, since: '7 days', now })).toMatchObject({
      delivered: 0,
      duplicates: 1,
    });
    const handler = up();
    expect(await reconcile({ client, handler, since: '7 days', now })).toMatchObject({
      duplicates: 1,
    });
    const { data } = await client.webhooks.listCallbackDeliveries({ requestId: job.requestId });
    await client.webhooks.redeliver(data[0]?.id ?? '');
    await mock.settle();
    expect([...effects.values()]).toEqual([1]);
  });

  test('feeds the queue of a handler that has one', async () => {
    const { mock, now, client, effects, start, down, makeHandler, on, dedupe } = outage();
    down();
    const { requestId } = await start();
    await mock.clock.advance('1 minute');
    const queue: WebhookMessage[] = [];
    const handler = makeHandler({ enqueue: async (_event, raw) => queue.push(raw) });
    expect(await reconcile({ client, handler, since: '1 day', now })).toMatchObject({
      delivered: 1,
    });
    const processor = createWebhookProcessor({ on, dedupe, now });
    for (const message of queue) await processor.process(message);
    expect([...effects.keys()]).toEqual([`${requestId} true`]);
    const rejecting = makeHandler({ enqueue: () => Promise.reject(new Error('gone')) });
    expect(await reconcile({ client, handler: rejecting, since: '1 day', now })).toMatchObject({
      delivered: 0,
      failed: 1,
      failures: [{ requestId, error: { code: 'enqueue_failed' } }],
    });
  });

  test('continues after a failure, names it, and retries it the next time', async () => {
    let fails = true;
    const { mock, now, client, start, down, makeHandler } = outage();
    down();
    const first = await start();
    await mock.clock.advance('1 hour');
    await start();
    await mock.clock.advance('1 hour');
    const callback = vi.fn(({ payload }: { payload: { requestId?: string } }) => {
      if (fails && payload.requestId === first.requestId) throw new Error('The disk is full.');
    });
    const handler = makeHandler({ on: { generation_completed: callback } });
    const report = await reconcile({ client, handler, since: '1 day', now });
    expect(report).toMatchObject({
      delivered: 1,
      failed: 1,
      failures: [{ requestId: first.requestId, error: new Error('The disk is full.') }],
    });
    fails = false;
    callback.mockClear();
    const rest = await reconcile({ client, handler, since: report.next, now });
    expect(rest).toMatchObject({ delivered: 1, failed: 0 });
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('stops on its signal, and continues from there', async () => {
    const { mock, now, client, effects, start, down, makeHandler } = outage();
    down();
    for (let n = 0; n < 5; n++) {
      await start();
      await mock.clock.advance('1 hour');
    }
    const handler = makeHandler();
    const ending = new AbortController();
    let last: ReconcileProgress | undefined;
    const stopped = reconcile({
      client,
      handler,
      since: '1 day',
      now,
      concurrency: 1,
      signal: ending.signal,
      onProgress: (progress) => {
        last = progress;
        if (progress.delivered === 2) ending.abort(new Error('SIGTERM'));
      },
    });
    await expect(stopped).rejects.toThrow('SIGTERM');
    expect(effects.size).toBe(2);
    const rest = await reconcile({ client, handler, since: last?.next ?? '', now });
    expect(rest).toMatchObject({ checked: 3, delivered: 3 });
    expect([...effects.values()]).toEqual([1, 1, 1, 1, 1]);
  });

  test('hands nothing over after onProgress has thrown', async () => {
    const { mock, now, client, effects, start, down, makeHandler } = outage();
    down();
    for (let n = 0; n < 8; n++) await start();
    await mock.clock.advance('1 hour');
    let calls = 0;
    const stopped = reconcile({
      client,
      handler: makeHandler(),
      since: '1 day',
      now,
      concurrency: 2,
      onProgress: () => {
        if (++calls === 1) throw new Error('no terminal');
      },
    });
    await expect(stopped).rejects.toThrow('no terminal');
    await vi.waitFor(() => expect(calls).toBe(2));
    await mock.settle();
    expect([calls, effects.size]).toEqual([2, 2]);
  });

  test('accepts any time in the past, and rejects one in the future', async () => {
    const { now, client } = outage();
    for (const since of ['99999999999 days', '1969-07-20T20:17:40Z', new Date(now())])
      expect(await reconcile({ client, since, now })).toMatchObject({ checked: 0 });
    for (const since of ['2099-01-01T00:00:00Z', new Date(8.64e15)])
      await expect(reconcile({ client, since, now })).rejects.toThrow('which is in the future');
  });

  test('without a handler or processor, asks the service to redeliver', async () => {
    const { mock, now, client, effects, start, down, up } = outage();
    down();
    await start();
    await mock.clock.advance('6 days');
    up();
    expect(await reconcile({ client, since: '7 days', now })).toMatchObject({
      delivered: 1,
      requested: 1,
    });
    await mock.settle();
    expect([...effects.values()]).toEqual([1]);
  });

  test('handles a permanent error once, and names registrations that are disabled', async () => {
    const { mock, now, client, start, down, makeHandler } = outage();
    await client.webhooks.create({ event: 'invoice_paid', url, secret });
    down();
    await start();
    mock.trigger('invoice_paid', {});
    // A registration whose deliveries have all failed for 5 days is disabled.
    await mock.clock.advance('2 days');
    mock.trigger('invoice_paid', {});
    await mock.clock.advance('6 days');
    const callback = vi.fn(() => {
      throw new PermanentError('no such story');
    });
    const handler = makeHandler({ on: { generation_completed: callback } });
    const options = { client, handler, since: '9 days', now };
    const report = await reconcile(options);
    expect(report.delivered).toBe(1);
    expect(String(report.failures[0]?.error)).toContain('The registration is disabled');
    const { data } = await client.webhooks.list();
    expect(report.interrupted).toEqual(data.map(({ id }) => id));
    await reconcile(options);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('resends what was canceled when the registration was disabled, and names the gap', async () => {
    const { mock, now, client, effects, down, up } = outage();
    const { id } = await client.webhooks.create({ event: 'invoice_paid', url, secret });
    down();
    mock.trigger('invoice_paid', {});
    await mock.clock.advance('1 minute');
    await client.webhooks.update(id, { status: 'disabled' });
    await mock.clock.advance('1 minute');
    await client.webhooks.update(id, { status: 'enabled' });
    const handler = up();
    const report = await reconcile({ client, handler, since: '1 day', now });
    expect(report).toMatchObject({ missed: 1, requested: 1, failed: 0, interrupted: [id] });
    await mock.settle();
    expect([...effects.values()]).toEqual([1]);
    const overlap = now() - Date.parse(report.next);
    expect(overlap).toBe(300_000 + 120_000);
  });

  test('waits for a delivery that another reconcile is handling', async () => {
    const { mock, now, client, start, down, makeHandler } = outage();
    down();
    await start();
    await mock.clock.advance('1 hour');
    const { callback, entered, open } = gate();
    const handler = makeHandler({ on: { generation_completed: callback } });
    const options = { client, handler, since: '1 day', now };
    const first = reconcile(options);
    await entered;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const handle = vi.spyOn(handler, 'handle');
    const second = reconcile(options);
    await vi.waitFor(() => expect(handle).toHaveBeenCalled());
    open();
    expect(await first).toMatchObject({ delivered: 1, failed: 0 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await second).toMatchObject({ delivered: 0, duplicates: 1, failed: 0 });
  });

  test('rejects a handler whose keys it cannot know, and uses the dedupeKey it is given', async () => {
    const keys: string[] = [];
    const dedupe = memoryDedupe();
    const watched = {
      ...dedupe,
      claim: (key: string, attempt: string) => {
        keys.push(key);
        return dedupe.claim(key, attempt);
      },
    };
    const { mock, now, client, start, down, makeHandler } = outage();
    down();
    await start();
    await mock.clock.advance('1 hour');
    const scheme = plainHmac({ algorithm: 'sha256', encoding: 'hex', header: 'X-Signature' });
    const unsigned = makeHandler({ scheme, dedupe: watched });
    const report = await reconcile({ client, handler: unsigned, since: '1 day', now });
    expect(String(report.failures[0]?.error)).toContain('does not sign the id');
    const handler = makeHandler({ dedupe: watched, dedupeKey: ({ id }) => `tenant:${id}` });
    await reconcile({ client, handler, since: '1 day', now });
    const dedupeKey = ({ id }: { id: string }) => `other:${id}`;
    await reconcile({ client, handler, since: '1 day', now, dedupeKey });
    for (const reads of ['url', 'headers'] as const) {
      const reading = makeHandler({ dedupeKey: ({ id }, facts) => `${facts[reads]}:${id}` });
      const { failures } = await reconcile({ client, handler: reading, since: '1 day', now });
      expect(String(failures[0]?.error)).toContain(`dedupeKey reads ${reads}, and there is no`);
    }
    expect(keys).toEqual([
      expect.stringMatching(/^tenant:msg_/),
      expect.stringMatching(/^other:msg_/),
    ]);
  });
});
