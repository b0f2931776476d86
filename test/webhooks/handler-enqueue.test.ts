import {
  createWebhookProcessor,
  type DeliveryReport,
  memoryDedupe,
  type WebhookEvent,
  type WebhookMessage,
} from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { bodyHmac } from '../support/body-hmac.ts';
import {
  at,
  completed,
  firstCall,
  makeHandler,
  otherSecret,
  recorder,
  request,
  toData,
  usage,
} from './support.ts';

describe('A handler with a queue', () => {
  test('verifies and enqueues a delivery once, and responds 200', async () => {
    const enqueue = vi.fn<(event: WebhookEvent, raw: WebhookMessage) => Promise<void>>(
      async () => {},
    );
    const reports: DeliveryReport[] = [];
    const handler = makeHandler({ enqueue, onDelivery: (report) => void reports.push(report) });
    expect(await toData(handler(await request(usage)))).toEqual({ http: 200, status: 'queued' });
    expect(enqueue).toHaveBeenCalledTimes(1);
    const [event, raw] = enqueue.mock.calls[0] ?? [];
    expect(event).toMatchObject({ id: 'msg_1', type: 'usage_threshold', payload: usage });
    expect(raw).toEqual({
      version: 1,
      id: 'msg_1',
      type: 'usage_threshold',
      timestamp: at,
      key: 'msg_1',
      body: JSON.stringify(usage),
    });
    expect(reports).toMatchObject([{ outcome: 'queued', status: 200, event: { id: 'msg_1' } }]);
  });

  test('of a deployment enqueues a message in the names of the contract, which any processor reads', async () => {
    const deployment = defineDeployment({
      wrap: 'data',
      fields: { requestId: 'id', result: 'output' },
      statuses: { completed: 'succeeded' },
    });
    const { requestId: id, result: output, ...rest } = completed;
    const messages: WebhookMessage[] = [];
    const enqueue = async (_: WebhookEvent, raw: WebhookMessage) => messages.push(raw);
    const handler = makeHandler({ deployment, enqueue });
    const theirs = { data: { ...rest, id, output, status: 'succeeded' } };
    expect((await handler(await request(theirs))).status).toBe(200);
    const seen: unknown[] = [];
    const processor = createWebhookProcessor({
      dedupe: memoryDedupe(),
      on: { generation_completed: ({ payload }) => void seen.push(payload) },
    });
    for (const raw of messages) await processor.process(raw);
    expect(seen).toEqual([completed]);
  });

  test('enqueues nothing that is not verified', async () => {
    const enqueue = vi.fn();
    const handler = makeHandler({ enqueue });
    const forged = await handler(await request(usage, { secret: otherSecret }));
    expect(forged.status).toBe(400);
    expect(enqueue).not.toHaveBeenCalled();
  });

  test('responds 503 when the queue rejects or throws, so that the sender retries', async () => {
    for (const enqueue of [
      () => Promise.reject(new Error('The database is gone.')),
      () => {
        throw new Error('The database is gone.');
      },
    ]) {
      const logger = recorder();
      const handler = makeHandler({ enqueue, logger });
      const response = await handler(await request(usage));
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.json()).toEqual({ code: 'enqueue_failed' });
      expect(logger.lines.join()).toContain('The database is gone.');
    }
  });

  test('responds 503 when enqueue returns no promise, because its write could fail unseen', async () => {
    const logger = recorder();
    const handler = makeHandler({ enqueue: (() => {}) as never, logger });
    expect((await handler(await request(usage))).status).toBe(503);
    expect(logger.lines.join()).toContain('Return the promise of the write.');
  });

  test('responds 503 when the queue does not respond within storeTimeoutMs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const enqueue = vi.fn(() => new Promise(() => {}));
    const handler = makeHandler({ enqueue, storeTimeoutMs: 250 });
    const pending = handler(await request(usage));
    await firstCall(enqueue);
    await vi.advanceTimersByTimeAsync(250);
    expect((await pending).status).toBe(503);
  });

  test('passes on the dedupe key: from dedupeKey, or the digest of the body if the id is not signed', async () => {
    const keys: string[] = [];
    const enqueue = async (_event: WebhookEvent, { key }: WebhookMessage) => void keys.push(key);
    await makeHandler({ enqueue, dedupeKey: ({ id }) => `tenant:${id}` })(await request(usage));
    const scheme = bodyHmac({ algorithm: 'sha256', encoding: 'hex', header: 'X-Signature' });
    await makeHandler({ enqueue, scheme })(await request(usage, { scheme }));
    expect(keys).toEqual(['tenant:msg_1', expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test('settles waits for a result once it is on the queue', async () => {
    const handler = makeHandler({ enqueue: async () => {} });
    const waiting = handler.waitFor('gen_1');
    await handler(await request(completed));
    expect(await waiting).toMatchObject({ payload: completed });
  });

  test('rejects callbacks and a dedupe store, which belong to the processor', () => {
    for (const option of [
      { on: { usage_threshold: () => {} } },
      { onOther: () => {} },
      { dedupe: memoryDedupe() },
      { middleware: [] },
    ])
      expect(() => makeHandler({ enqueue: async () => {}, ...option })).toThrow(
        `${Object.keys(option)[0]} and enqueue are both given`,
      );
    for (const enqueue of [undefined, null, {}])
      expect(() => makeHandler({ enqueue: enqueue as never })).toThrow(/enqueue (is|must be)/);
  });
});
