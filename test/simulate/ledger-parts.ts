import { ContentGen, isApiError } from 'contentgen';
import type { DiskOperations, InstanceContext } from 'contentgen/simulate';

export const PRICE = 5;

export interface Order {
  readonly status: 'ordered' | 'done' | 'refunded';
  readonly prompt: string;
  readonly requestId?: string;
}
export interface Result {
  readonly order: string;
  readonly status: string;
}
export interface Catalog {
  readonly updatedAt: string;
  readonly records: number;
}

/** A shop that is paid through a ledger, starts stories and mails from an outbox, and takes results from a queue. */
export const right = (context: InstanceContext) => {
  const { client, disk, random, url } = context;
  const db = disk.open('shop');
  const mails = disk.open('mails');
  const balance = async (account: string, tx: Pick<typeof db, 'get'> = db) =>
    (await tx.get<number>(account)) ?? 0;
  /** Pays the shop, or pays back. */
  async function pay(tx: DiskOperations, number: string, isDone: boolean): Promise<void> {
    const account = isDone ? 'shop' : 'customer';
    await tx.set(account, (await balance(account, tx)) + PRICE);
    const order = await tx.get<Order>(`order/${number}`);
    await tx.set(`order/${number}`, { ...order, status: isDone ? 'done' : 'refunded' });
    if (isDone) await tx.set(`outbox/mail/${number}`, true);
  }
  return {
    ...{ db, mails, random, balance, pay },
    secret: () => context.secret as string,
    keyOf: (number: string, _prompt: string) => `order-${number}`,
    isDone: (status: string): boolean => status === 'completed',
    isFinal: (error: unknown) =>
      isApiError(error) && [400, 402, 403, 409, 422].includes(error.status),
    isNewer: (kept: Catalog | undefined, next: Catalog) => !kept || kept.updatedAt < next.updatedAt,
    start: (number: string, prompt: string, idempotencyKey: string) =>
      client.content.start(
        { prompt, metadata: { order: number }, webhookUrl: url },
        { idempotencyKey },
      ),
    enqueue: (id: string, result: Result) => db.set(`queue/${id}`, result),
    /** The first result of an order pays the shop, or the customer. */
    settle({ order: number }: Result, isDone: boolean): Promise<void> {
      return db.transaction(async (tx) => {
        const order = await tx.get<Order>(`order/${number}`);
        if (order?.status !== 'ordered') return;
        await pay(tx, number, isDone);
      });
    },
    async handle(key: string, settle: () => Promise<void>) {
      await settle();
      await db.delete(key);
    },
    async mail(key: string, number: string) {
      await mails.set(number, true);
      await db.delete(key);
    },
  };
};
export type Shop = ReturnType<typeof right>;
/** Replaces parts of the shop. */
export type Bug = (shop: Shop, context: InstanceContext) => Partial<Shop>;
type Bugs = Readonly<Record<string, Bug>>;

/** What is wrong in each shop. These are found within a few seeds. */
export const earlyBugs: Bugs = {
  'a lost update': ({ db, balance }) => ({
    settle: async ({ order: number }, isDone) => {
      const order = await db.get<Order>(`order/${number}`);
      const account = isDone ? 'shop' : 'customer';
      const before = await balance(account);
      await db.keys('order/');
      if (order?.status !== 'ordered') return;
      await db.transaction(async (tx) => {
        if ((await tx.get<Order>(`order/${number}`))?.status !== 'ordered') return;
        await tx.set(account, before + PRICE);
        await tx.set(`order/${number}`, { ...order, status: isDone ? 'done' : 'refunded' });
        if (isDone) await tx.set(`outbox/mail/${number}`, true);
      });
    },
  }),
  'a payment in two writes': ({ db, balance, settle }) => ({
    settle: async (result, isDone) => {
      const order = await db.get<Order>(`order/${result.order}`);
      if (!isDone || order?.status !== 'ordered') return settle(result, isDone);
      await db.set(`order/${result.order}`, { ...order, status: 'done' });
      await db.set(`outbox/mail/${result.order}`, true);
      await db.atomic('pay', (values) =>
        values.set('shop', (values.get<number>('shop') ?? 0) + PRICE),
      );
      await balance('shop');
    },
  }),
  'a duplicate that pays again': ({ db, settle }) => ({
    settle: async (result, isDone) => {
      await settle(result, isDone);
      const paid = await db.keys(`paid/${result.order}/`);
      if (isDone) await db.set(`paid/${result.order}/${paid.length}`, true);
      if (paid.length > 0) await db.atomic('pay', (values) => values.set('shop', -1));
    },
  }),
  'marks in memory': ({ db, pay }) => {
    const seen = new Set<string>();
    return {
      settle: ({ order: number }, isDone) =>
        db.transaction(async (tx) => {
          if (seen.has(number)) return;
          seen.add(number);
          await pay(tx, number, isDone);
        }),
    };
  },
  'an entry removed before it is handled': ({ db }) => ({
    handle: async (key, settle) => {
      await db.delete(key);
      await settle();
    },
  }),
  'an assumed order': () => ({ isNewer: () => true }),
  'an order that is not tried again': () => ({ isFinal: () => true }),
  'a key for two orders': () => ({ keyOf: (_, prompt) => prompt }),
  'a new key for each attempt': ({ random }) => ({ keyOf: () => random.uuid() }),
  'a secret kept past its rotation': (_, { secret }) => ({ secret: () => secret }),
  'a rate limit taken as a refusal': ({ isFinal }, { fetch, mock, url }) => {
    const client = new ContentGen({
      ...{ baseUrl: mock.baseUrl, apiKey: mock.adminKey, fetch, logLevel: 'off' },
      maxRetries: 0,
    });
    return {
      isFinal: (error) => isFinal(error) || (isApiError(error) && error.status === 429),
      start: (order, prompt, idempotencyKey) =>
        client.content.start({ prompt, metadata: { order }, webhookUrl: url }, { idempotencyKey }),
    };
  },
};

/** These need hundreds of seeds at worst. */
export const lateBugs: Bugs = {
  'a mark before the effect': ({ db, settle }) => ({
    settle: async (result, isDone) => {
      if (await db.get(`mark/${result.order}`)) return;
      await db.set(`mark/${result.order}`, true);
      await settle(result, isDone);
    },
  }),
  'an answer before the write': ({ enqueue }) => ({
    enqueue: async (id, result) => void enqueue(id, result),
  }),
  'a mail without a key': ({ db, mails, random }) => ({
    mail: async (key, number) => {
      await mails.set(`${number}/${random.uuid()}`, true);
      await db.delete(key);
    },
  }),
  'a canceled story that is paid for': ({ isDone }) => ({
    isDone: (status) => isDone(status) || status === 'canceled',
  }),
  'a refund outside the transaction': ({ db, settle }) => ({
    settle: async (result, isDone) => {
      if (isDone) return settle(result, isDone);
      const order = await db.get<Order>(`order/${result.order}`);
      if (order?.status !== 'ordered') return;
      await db.atomic('refund', (values) =>
        values.set('customer', (values.get<number>('customer') ?? 0) + PRICE),
      );
      await db.set(`order/${result.order}`, { ...order, status: 'refunded' });
    },
  }),
};
