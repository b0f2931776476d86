import {
  createWebhookHandler,
  createWebhookProcessor,
  memoryDedupe,
  type WebhookHandler,
  type WebhookMessage,
} from 'contentgen/webhooks';

/** The bindings of wrangler.toml; `wrangler types` generates these. */
interface Env {
  readonly CONTENTGEN_WEBHOOK_SECRET: string;
  readonly WEBHOOKS: { send(message: WebhookMessage): Promise<unknown> };
  readonly STORIES: { put(key: string, value: string): Promise<void> };
}
interface Batch {
  readonly messages: readonly {
    readonly body: WebhookMessage;
    ack(): void;
    retry(options?: { delaySeconds: number }): void;
  }[];
}

let handler: WebhookHandler | undefined;

export default {
  /** Verifies a delivery, puts it on the queue and responds. */
  async fetch(request: Request, env: Env): Promise<Response> {
    handler ??= createWebhookHandler({
      secret: env.CONTENTGEN_WEBHOOK_SECRET,
      enqueue: (_event, raw) => env.WEBHOOKS.send(raw),
    });
    return handler(request);
  },

  /** Runs the callbacks. A story is stored under its id, so duplicates do no harm; otherwise, pass `redisDedupe`. */
  async queue(batch: Batch, env: Env): Promise<void> {
    const processor = createWebhookProcessor({
      dedupe: memoryDedupe(),
      on: {
        generation_completed: ({ id, payload }) =>
          env.STORIES.put(payload.requestId ?? id, payload.result),
      },
    });
    for (const message of batch.messages) {
      try {
        await processor.process(message.body);
        message.ack();
      } catch {
        message.retry({ delaySeconds: 30 });
      }
    }
  },
};
