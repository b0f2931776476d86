import assert from 'node:assert/strict';
import type { InstanceContext, RunContext, SimulateOptions } from 'contentgen/simulate';

interface App {
  order(number: number, prompt: string): Promise<void>;
  /** Registers for updates of the catalog. */
  subscribe?(): Promise<void>;
  webhooks(request: Request): Promise<Response>;
}

/** Five orders, two of them for the same story, while the catalog changes. */
export function scenario(
  app: (context: InstanceContext) => App,
  replicas = 1,
): SimulateOptions<App> {
  return { app, replicas, run, check, effects, receive: ({ webhooks }) => webhooks };
}

async function run({ app, mock, clock }: RunContext<App>): Promise<void> {
  await app.subscribe?.().catch(() => {});
  const prompts = ['a whale', 'a storm', 'a whale', 'a lighthouse', 'a harbour'];
  const orders = Promise.allSettled(prompts.map((prompt, index) => app.order(index + 1, prompt)));
  for (const records of [10, 20, 30]) {
    mock.trigger('data_updated', { source: 'catalog', records });
    await clock.sleep(2_000);
  }
  await orders;
}

/** The ids of the results whose email was sent, one entry per email. */
async function effects({ disk }: RunContext<App>): Promise<string[]> {
  const emails = await disk.open('shop').keys('email/');
  return emails.map((key) => key.split('/')[1] ?? '');
}

/** Each order has the story that was generated for it, and the catalog is the latest one. */
async function check({ client, disk }: RunContext<App>): Promise<void> {
  const db = disk.open('shop');
  for await (const { metadata, result } of client.content.list({ status: 'completed' })) {
    assert.equal(
      await db.get(`story/${metadata?.['order']}`),
      result,
      'an order has the wrong story',
    );
  }
  const catalog = await db.get<{ records: number }>('catalog/catalog');
  if (catalog) assert.equal(catalog.records, 30, 'the catalog is not the latest one');
}
