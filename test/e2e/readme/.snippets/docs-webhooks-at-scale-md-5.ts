import {
  createWebhookHandler,
  createWebhookProcessor,
  memoryDedupe,
  type WebhookMessage,
} from 'contentgen/webhooks';

interface Env {
  readonly CONTENTGEN_WEBHOOK_SECRET: string;
  readonly WEBHOOKS: { send(message: WebhookMessage): Promise<unknown> };
  readonly STORIES: { put(key: string, text: string): Promise<void> };
}
interface Batch {
  readonly messages: readonly {
    body: WebhookMessage;
    ack(): void;
    retry(options: { delaySeconds: number }): void;
  }[];
}

export default {
  fetch: (request: Request, { CONTENTGEN_WEBHOOK_SECRET: secret, WEBHOOKS }: Env) =>
    createWebhookHandler({ secret, enqueue: (_event, raw) => WEBHOOKS.send(raw) })(request),

  async queue({ messages }: Batch, { STORIES }: Env) {
    const processor = createWebhookProcessor({
      dedupe: memoryDedupe(), // a copy stores the same story again; if that does harm, redisDedupe over HTTP
      on: {
        generation_completed: ({ id, payload }) =>
          STORIES.put(payload.requestId ?? id, payload.result),
      },
    });
    for (const message of messages)
      await processor.process(message.body).then(
        () => message.ack(),
        () => message.retry({ delaySeconds: 30 }),
      );
  },
};
