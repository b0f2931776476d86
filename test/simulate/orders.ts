import { ContentGen, isApiError } from 'contentgen';
import type { InstanceContext } from 'contentgen/simulate';
import { type Has, receiver, start } from './application-parts.ts';

/** A story that was ordered, by its prompt. */
export interface Order {
  readonly status: 'open' | 'paid' | 'refunded';
  readonly requestId?: string | undefined;
  /** The customer no longer wants it. */
  readonly isCanceled?: true;
}

/** Takes orders, starts them until they are accepted, and is paid for those that are completed. */
export function orders(context: InstanceContext, has: Has) {
  const { client, disk, clock, mock, fetch } = context;
  const db = disk.open('orders');
  const { baseUrl, adminKey: apiKey } = mock;
  const isHasty = has('a rate limit taken as a refusal');
  const hasty = new ContentGen({ baseUrl, apiKey, fetch, logLevel: 'off', maxRetries: 0 });
  const starter = isHasty ? { ...context, client: hasty } : context;
  const isFinal = (error: unknown) =>
    has('an order that is not tried again') ||
    (isApiError(error) && [400, 402, 403, 422, isHasty ? 429 : 400].includes(error.status));

  const change = (prompt: string, to: (order: Order) => Order | undefined) =>
    db.atomic(`change ${prompt}`, (values) => {
      const order = values.get<Order>(prompt);
      const changed = order && to(order);
      if (changed) values.set(prompt, changed);
    });
  const settle = (prompt: string, status: string, requestId?: string) =>
    change(prompt, (order) => {
      const isPaid =
        status === 'completed' ||
        (status === 'canceled' && has('a canceled story that is paid for'));
      return order.status === 'open'
        ? { requestId, ...order, status: isPaid ? 'paid' : 'refunded' }
        : undefined;
    });
  async function begin(prompt: string): Promise<void> {
    try {
      const { requestId } = await start(starter, prompt);
      await change(prompt, (order) => ({ ...order, requestId }));
    } catch (error) {
      if (isFinal(error)) await settle(prompt, 'refused');
    }
  }
  /** A canceled story has no callback. */
  async function askAbout(prompt: string, requestId: string): Promise<void> {
    const found = await client.content.get(requestId).catch(() => undefined);
    if (found && found.status !== 'processing') await settle(prompt, found.status);
  }
  const working = new Set<string>();
  async function work(): Promise<void> {
    for (const prompt of await db.keys()) {
      const { status, requestId, isCanceled } = (await db.get<Order>(prompt)) as Order;
      if (working.has(prompt)) continue;
      working.add(prompt);
      if (requestId === undefined && status !== 'refunded') await begin(prompt);
      else if (requestId && status === 'open' && isCanceled) await askAbout(prompt, requestId);
      working.delete(prompt);
    }
  }
  clock.every(5000, () => void work());
  const kept = context.secret;
  return {
    async order(prompt: string) {
      await db.atomic(`order ${prompt}`, (values) => {
        if (!values.get(prompt)) values.set(prompt, { status: 'open' });
      });
      await work();
      if (prompt !== 'a storm') return;
      await change(prompt, (order) => ({ ...order, isCanceled: true }));
      const { requestId } = (await db.get<Order>(prompt)) as Order;
      if (requestId) await client.content.cancel(requestId).catch(() => {});
    },
    webhooks: receiver(
      context,
      (id, prompt) => settle(prompt, 'completed', id),
      (id, prompt) => settle(prompt, 'failed', id),
      has('a secret kept past its rotation') ? () => kept : undefined,
    ),
  };
}
