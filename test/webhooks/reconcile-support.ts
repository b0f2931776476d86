import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import {
  createWebhookHandler,
  memoryDedupe,
  type WebhookHandlerOptions,
} from 'contentgen/webhooks';
import { recorder, secret } from './support.ts';

export const url = 'https://app.example/webhooks';

/** A service whose receiver can be down, and the effects of its callbacks. */
export function outage(options: Partial<WebhookHandlerOptions> = {}) {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const { now } = mock.clock;
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch: mock.fetch,
  });
  const effects = new Map<string, number>();
  const count = (what: string) => void effects.set(what, (effects.get(what) ?? 0) + 1);
  const dedupe = memoryDedupe({ now });
  const on = {
    generation_completed: ({ payload }: { payload: { requestId?: string; result: string } }) =>
      count(`${payload.requestId} ${payload.result.length > 0}`),
    generation_failed: ({ payload }: { payload: { requestId?: string } }) =>
      count(`${payload.requestId} failed`),
    invoice_paid: ({ id }: { id: string }) => count(`invoice ${id}`),
  };
  const makeHandler = (more: Partial<WebhookHandlerOptions> = {}) =>
    createWebhookHandler({
      secret: [mock.signingSecret, secret],
      now,
      logger: recorder(),
      ...('enqueue' in more ? {} : { on, dedupe }),
      ...options,
      ...more,
    });
  return {
    mock,
    now,
    client,
    effects,
    on,
    dedupe,
    makeHandler,
    start: () => client.content.start({ prompt: 'p', webhookUrl: url }),
    down: () => mock.receivers.set(url, async () => new Response('', { status: 503 })),
    up: (handler = makeHandler()) => {
      mock.receivers.set(url, handler);
      return handler;
    },
  };
}
