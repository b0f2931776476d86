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
import { setUp as setUpHandler } from './set-up.ts';
import { at, completed, firstCall, makeHandler, otherSecret, usage } from './support.ts';

type Enqueue = (event: WebhookEvent, raw: WebhookMessage) => Promise<unknown>;

/** A handler over a queue, and the messages on it. */
function setUp(options: Parameters<typeof setUpHandler>[0] = {}) {
  const queue: WebhookMessage[] = [];
  const enqueue = vi.fn<Enqueue>(async (_event, raw) => queue.push(raw));
  return { queue, enqueue, ...setUpHandler({ enqueue, ...options }) };
}

describe('A handler with a queue', () => {
  test('verifies and enqueues a delivery once, and responds 200', async () => {
    const reports: DeliveryReport[] = [];
    const { send, enqueue } = setUp({ onDelivery: (report) => void reports.push(report) });
    expect(await send()).toEqual({ http: 200, status: 'queued' });
    const event = expect.objectContaining({ id: 'msg_1', type: 'usage_threshold', payload: usage });
    const message = { id: 'msg_1', type: 'usage_threshold', timestamp: at, key: 'msg_1' };
    const body = JSON.stringify(usage);
    expect(enqueue.mock.calls).toEqual([[event, { version: 1, ...message, body }]]);
    expect(reports).toMatchObject([{ outcome: 'queued', status: 200, event: { id: 'msg_1' } }]);
  });

  test('of a deployment enqueues a message in the names of the contract, which any processor reads', async () => {
    const deployment = defineDeployment({
      wrap: 'data',
      fields: { requestId: 'id', result: 'output' },
      statuses: { completed: 'succeeded' },
    });
    const { requestId: id, result: output, ...rest } = completed;
    const { send, queue } = setUp({ deployment });
    const theirs = { data: { ...rest, id, output, status: 'succeeded' } };
    expect((await send(theirs)).http).toBe(200);
    const callback = vi.fn();
    const on = { generation_completed: callback };
    const processor = createWebhookProcessor({ dedupe: memoryDedupe(), on });
    for (const raw of queue) await processor.process(raw);
    expect(callback.mock.calls.map(([{ payload }]) => payload)).toEqual([completed]);
  });

  test('enqueues nothing that is not verified', async () => {
    const { send, queue } = setUp();
    expect((await send(usage, { secret: otherSecret })).http).toBe(400);
    expect(queue).toEqual([]);
  });

  test.each<[string, () => unknown, string]>([
    ['rejects', () => Promise.reject(new Error('The queue is gone.')), 'The queue is gone.'],
    [
      'throws',
      () => {
        throw new Error('The queue is gone.');
      },
      'The queue is gone.',
    ],
    // The write could fail unseen.
    ['returns no promise', () => {}, 'Return the promise of the write.'],
  ])('responds 503, so that the sender retries, when enqueue %s', async (_, enqueue, words) => {
    const { send, logger } = setUp({ enqueue: enqueue as never });
    expect(await send()).toEqual({ http: 503, retryAfter: '5', code: 'enqueue_failed' });
    expect(logger.lines.join()).toContain(words);
  });

  test('responds 503 when the queue does not respond within storeTimeoutMs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { send, enqueue } = setUp({ storeTimeoutMs: 250 });
    enqueue.mockReturnValue(new Promise(() => {}));
    const pending = send();
    await firstCall(enqueue);
    await vi.advanceTimersByTimeAsync(250);
    expect((await pending).http).toBe(503);
  });

  test('passes on the dedupe key: from dedupeKey, or the digest of the body if the id is not signed', async () => {
    const named = setUp({ dedupeKey: ({ id }) => `tenant:${id}` });
    await named.send();
    expect(named.queue).toMatchObject([{ key: 'tenant:msg_1' }]);
    const scheme = bodyHmac({ algorithm: 'sha256', encoding: 'hex', header: 'X-Signature' });
    const unsigned = setUp({ scheme });
    await unsigned.send(usage, { scheme });
    expect(unsigned.queue).toMatchObject([{ key: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
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
