import type { DiskOperations, DiskStore, InstanceContext } from 'contentgen/simulate';
import {
  createWebhookHandler,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHandlerOptions,
} from 'contentgen/webhooks';

/** The fields of a result that the shop needs. */
export interface Story {
  readonly requestId?: string | undefined;
  readonly result?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The shop sells stories. Its database holds orders, stories and the emails that were sent. */
export interface Shop {
  readonly db: DiskStore;
  /** Orders a story. The service treats a repeated order as the same order, even after a crash. */
  order(number: number, prompt: string): Promise<void>;
  /** Emails a story to its customer. It must happen only once, so pass the transaction that also marks it as done. */
  send(operations: DiskOperations, story: Story, order?: string): Promise<void>;
  /** Registers for updates of the catalog. */
  subscribe(): Promise<void>;
  /** Handles webhooks; each instance remembers which ones it has handled. */
  handler(on: NonNullable<WebhookHandlerOptions['on']>): (request: Request) => Promise<Response>;
  /** The event of a request whose signature is right. */
  verify(request: Request): Promise<WebhookEvent>;
}

export function openShop({ client, clock, disk, random, secret, url }: InstanceContext): Shop {
  const db = disk.open('shop');
  return {
    db,
    async order(number, prompt) {
      const key = `order/${number}`;
      const idempotencyKey = (await db.get<string>(key)) ?? random.uuid();
      // Stored before anything is sent.
      await db.set(key, idempotencyKey);
      const request = { prompt, metadata: { order: `${number}` }, webhookUrl: url };
      await client.content.start(request, { idempotencyKey });
    },
    async send(operations, { requestId, result, metadata }, order = metadata?.['order']) {
      await operations.set(`story/${order}`, result);
      await operations.set(`email/${requestId}/${random.uuid()}`, order);
    },
    async subscribe() {
      const registration = await client.webhooks.create({ event: 'data_updated', url });
      await db.set('registration', registration.secret);
    },
    handler: (on) =>
      createWebhookHandler({
        async secret() {
          const registered = await db.get<string>('registration');
          return registered === undefined ? [secret] : [secret, registered];
        },
        now: clock.now,
        on,
      }),
    verify: (request) => verifyWebhook({ request, secret, now: clock.now }),
  };
}
