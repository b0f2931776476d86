import type { Chaos, InstanceContext, RunContext, SimulateOptions } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { expect } from 'vitest';
import { silent } from './counter.ts';
import { type Bug, type Catalog, type Order, PRICE, type Result, right } from './ledger-parts.ts';

const ORDERS = ['a whale', 'a storm', 'a whale', 'a harbour', 'a lighthouse'];

function open(context: InstanceContext, bug: Bug | undefined) {
  const { client, clock, url } = context;
  const planted = right(context);
  const shop = { ...planted, ...bug?.(planted, context) };
  const { db } = shop;
  const settle = (result: Result) => shop.settle(result, shop.isDone(result.status));

  async function startStory(key: string, number: string): Promise<void> {
    const order = await db.get<Order>(`order/${number}`);
    if (!order || order.requestId !== undefined) return;
    const { prompt } = order;
    try {
      const { requestId } = await shop.start(number, prompt, shop.keyOf(number, prompt));
      await db.transaction(async (tx) => {
        const kept = await tx.get<Order>(`order/${number}`);
        await tx.set(`order/${number}`, { ...kept, requestId });
        await tx.delete(key);
      });
    } catch (error) {
      if (!shop.isFinal(error)) return;
      await settle({ order: number, status: 'refused' });
      await db.delete(key);
    }
  }

  async function askAbout(key: string): Promise<void> {
    const number = key.slice('cancel/'.length);
    const { status, requestId } = (await db.get<Order>(`order/${number}`)) ?? {};
    if (status !== 'ordered' || requestId === undefined) return;
    const now = await client.content.get(requestId).catch(() => undefined);
    if (now && now.status !== 'processing') await settle({ order: number, status: now.status });
  }

  const working = new Set<string>();
  /** Does the work of each key, unless this instance is at it already. */
  async function each(prefix: string, work: (key: string, rest: string) => Promise<void>) {
    const one = async (key: string) => {
      if (working.has(key)) return;
      working.add(key);
      await work(key, key.slice(prefix.length));
      working.delete(key);
    };
    await Promise.all((await db.keys(prefix)).map(one));
  }
  async function work(): Promise<void> {
    await each('outbox/start/', startStory);
    await each('queue/', async (key) => {
      const result = await db.get<Result>(key);
      if (result) await shop.handle(key, () => settle(result));
    });
    await each('outbox/mail/', shop.mail);
  }
  clock.every(5000, () => void work());
  clock.every(20_000, () => void each('cancel/', askAbout));

  const enqueue = async (event: { readonly id: string; readonly payload: object }) => {
    const { metadata, status } = event.payload as {
      metadata?: Record<string, string>;
      status?: string;
    };
    await shop.enqueue(event.id, { order: `${metadata?.['order']}`, status: `${status}` });
    void work();
  };
  return {
    async subscribe() {
      const { secret } = await client.webhooks.create({ event: 'data_updated', url });
      await db.set('registration', secret);
    },
    order: async (number: string, prompt: string) => {
      await db.transaction(async (tx) => {
        if (await tx.get(`order/${number}`)) return;
        await tx.set('customer', ((await tx.get<number>('customer')) ?? 0) - PRICE);
        await tx.set(`order/${number}`, { status: 'ordered', prompt });
        await tx.set(`outbox/start/${number}`, true);
      });
      await work();
    },
    async cancel(number: string) {
      const { requestId } = (await db.get<Order>(`order/${number}`)) ?? {};
      if (requestId === undefined) return;
      // A canceled story has no callback.
      await db.set(`cancel/${number}`, true);
      await client.content.cancel(requestId).catch(() => {});
    },
    webhooks: createWebhookHandler({
      secret: async () => {
        const registration = await db.get<string>('registration');
        return [shop.secret(), ...(registration === undefined ? [] : [registration])];
      },
      logger: silent,
      on: {
        generation_completed: enqueue,
        generation_failed: enqueue,
        data_updated: ({ payload }) =>
          db.transaction(async (tx) => {
            const next = { updatedAt: payload.updatedAt, records: payload.records };
            if (shop.isNewer(await tx.get<Catalog>('catalog'), next)) await tx.set('catalog', next);
          }),
      },
    }),
  };
}
export type Ledger = ReturnType<typeof open>;

async function run({ app, clock, mock }: RunContext<Ledger>): Promise<void> {
  await app.subscribe();
  const orders = Promise.allSettled(
    ORDERS.map((prompt, index) => app.order(`${index + 1}`, prompt)),
  );
  await clock.sleep(300);
  await app.cancel('2').catch(() => {});
  for (const records of [1, 2, 3]) {
    mock.trigger('data_updated', { source: 'catalog', records });
    await clock.sleep(1000);
  }
  await orders;
}

async function check({ client, disk, mock }: RunContext<Ledger>): Promise<void> {
  const db = disk.open('shop');
  const mails = await disk.open('mails').keys();
  const done: string[] = [];
  let ordered = 0;
  for (const key of await db.keys('order/')) {
    ordered += 1;
    const { status, requestId } = (await db.get<Order>(key)) as Order;
    const number = key.slice(6);
    const state =
      requestId === undefined ? 'never started' : (await client.content.get(requestId)).status;
    if (state === 'completed') done.push(number);
    expect(`${state}, ${status}`).toBe(`${state}, ${state === 'completed' ? 'done' : 'refunded'}`);
    expect(state, `order ${number}`).not.toBe('never started');
  }
  expect((await db.get('shop')) ?? 0, 'the balance of the shop').toBe(PRICE * done.length);
  expect((await db.get<number>('customer')) ?? 0, 'the balance of the customer').toBe(
    0 - PRICE * done.length,
  );
  expect(mails.map((key) => key.split('/')[0]).sort(), 'mails').toEqual(done);
  expect(mock.generations().completed.length).toBe(done.length);
  if (ordered > 0) expect(await db.keys('queue/')).toEqual([]);
  const catalog = await db.get<Catalog>('catalog');
  if (catalog) expect(catalog.records, 'the catalog').toBe(3);
}

/** Everything that a ledger, an outbox and a queue have to survive. */
export const chaos: Chaos = {
  loseAnswer: 0.1,
  duplicate: 0.1,
  reorder: 0.2,
  delay: '2 minutes',
  drop: 0.02,
  unreachable: 0.02,
  crash: 0.02,
  pause: 0.005,
  clockSkew: '10 seconds',
  stall: 0.01,
  unavailable: 0.05,
  modelFails: 0.1,
  rateLimited: 0.05,
  secretRotated: 0.2,
  keyRevoked: 0.1,
};

export const ledger = (bug?: Bug): SimulateOptions<Ledger> => ({
  app: (context) => open(context, bug),
  receive: ({ webhooks }) => webhooks,
  run,
  check,
});
