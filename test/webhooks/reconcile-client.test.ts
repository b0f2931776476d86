import { type ReconcileClient, reconcile, type WebhookMessage } from 'contentgen/webhooks';
import { describe, expect, type Mock, test, vi } from 'vitest';
import { outage, url } from './reconcile-support.ts';

describe('reconcile', () => {
  test('finds generations that no delivery was recorded for, and waits for rate limits', async () => {
    const page = (data: object[], nextCursor: string | null = null) => ({ data, nextCursor });
    const generation = (requestId: string) => ({
      requestId,
      status: 'completed',
      webhookUrl: url,
      result: 'text',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    const list = vi
      .fn()
      .mockRejectedValueOnce(
        Object.assign(new Error('slow down'), { code: 'rate_limited', retryAt: new Date() }),
      )
      .mockResolvedValueOnce(page([generation('gen_1')], 'next'))
      .mockResolvedValueOnce(page([generation('gen_2')]));
    const client = {
      content: { list, get: async (id: string) => generation(id) },
      webhooks: {
        list: async () => page([]),
        listCallbackDeliveries: vi.fn(async ({ requestId }: { requestId?: string }) =>
          page(
            requestId === 'gen_2'
              ? [
                  {
                    id: 'dlv_2',
                    messageId: 'msg_2',
                    requestId,
                    status: 'delivered',
                    attempts: [{}],
                  },
                ]
              : [],
          ),
        ),
      },
    } as unknown as ReconcileClient;
    const { listCallbackDeliveries } = client.webhooks as unknown as Record<string, Mock>;
    const limited = Object.assign(new Error(), { code: 'rate_limited', retryAt: new Date() });
    listCallbackDeliveries?.mockResolvedValueOnce(page([])).mockRejectedValueOnce(limited);
    const messages: WebhookMessage[] = [];
    const processor = {
      process: async (message: WebhookMessage) => {
        messages.push(message);
        return { outcome: 'processed' as const };
      },
    };
    const report = await reconcile({ client, processor, since: '2026-01-01T00:00:00Z' });
    expect(report).toMatchObject({ delivered: 1, failed: 0 });
    expect(list.mock.calls.map(([query]) => query.cursor)).toEqual([undefined, undefined, 'next']);
    expect(messages).toMatchObject([{ id: 'gen_1:completed', type: 'generation_completed' }]);
  });

  test('rejects options that cannot work', async () => {
    const { client, makeHandler } = outage();
    const handler = makeHandler();
    for (const options of [
      { handler, since: '3 days' },
      { client, handler, since: 'yesterday' },
      { client, handler, since: '3 weeks' },
      { client, handler, since: '2026-01-01' },
      { client, handler, since: '2026-02-31T00:00:00Z' },
      { client, handler, since: '2025-02-29T00:00:00Z' },
      { client, handler, since: '2026-04-31T12:00:00+02:00' },
      { client, handler, since: '2026-00-01T00:00:00Z' },
      { client, handler, since: '2026-01-01T24:00:00Z' },
      { client, handler, since: '2026-01-01T00:00Z' },
      { client, handler, since: new Date('x') },
      { client, handler },
      { client, handler, processor: handler, since: '3 days' },
      { client, handler: {}, since: '3 days' },
      { client, handler, since: '3 days', concurrency: 0 },
      { client, handler, since: '3 days', concurrency: 101 },
      { client, handler, since: '3 days', signal: {} },
      { client, handler, since: '3 days', until: '1 day' },
    ])
      await expect(reconcile(options as never)).rejects.toMatchObject({
        code: 'webhook_configuration',
      });
  });
});
