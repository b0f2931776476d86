import type { MockServerOptions } from '../../../mock-server/composition/options.ts';
import { createDrivenServer } from '../../../mock-server/create-mock-server.ts';
import type { OutboundOutcome, OutboundRequest } from '../../../mock-server/domain/ports.ts';
import type { Delivery, Webhook } from '../../../mock-server/domain/records.ts';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
export const start = Date.UTC(2026, 0, 1);

export const secretOf = (letter: string) => `whsec_${letter.repeat(32)}`;

export interface Sent extends OutboundRequest {
  /** When it was sent, on the manual clock. */
  readonly at: number;
}

type Outcome = OutboundOutcome | Promise<OutboundOutcome>;
type Receive = (request: Sent, options: { signal: AbortSignal }) => Outcome;

export const status = (code: number, more: object = {}) => ({ status: code, snippet: '', ...more });

/** A receiver that never responds; the attempt ends when its signal aborts. */
export const hang: Receive = (_, { signal }) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ error: 'timeout' }), { once: true });
  });

/** The inside of a server whose deliveries go to a function, with an organization, and steps that wait for nothing else. */
export function deliverySetup({
  receive = () => status(200),
  transport,
  ...options
}: { receive?: Receive } & Pick<MockServerOptions, 'store' | 'retention'> &
  Pick<NonNullable<MockServerOptions['deliveries']>, 'transport'> = {}) {
  const sent: Sent[] = [];
  const failures: unknown[] = [];
  const { context, clock } = createDrivenServer({
    ...options,
    seed: 1,
    onError: (error) => failures.push(error),
    deliveries: {
      transport:
        transport ??
        (async (request, options) => {
          const one = { ...request, at: clock.now() };
          sent.push(one);
          return receive(one, options);
        }),
    },
  });
  const { store, scheduler, logs } = context;
  store.table('organizations').put({ id: 'org_1', rngStream: 1, quota: 1000, createdAt: start });
  store.table('projects').put({
    id: 'prj_1',
    organization: 'org_1',
    secrets: [{ secret: secretOf('P'), createdAt: start }],
    createdAt: start,
  });

  /** Runs what is due and waits for attempts in flight, until no more of them end. */
  async function settle(): Promise<void> {
    for (;;) {
      scheduler.runDue();
      await new Promise((resolve) => setImmediate(resolve));
      const next = scheduler.nextAt();
      if (next !== undefined && next <= clock.now()) continue;
      const before = scheduler.inFlight;
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (scheduler.inFlight === before) break;
    }
    if (failures.length > 0) throw failures.shift();
  }

  /** Moves the clock on and runs everything at its own time. */
  async function advance(ms: number): Promise<void> {
    const end = clock.now() + ms;
    await settle();
    for (let next = scheduler.nextAt(); next !== undefined && next <= end; ) {
      clock.moveTo(Math.max(clock.now(), next));
      await settle();
      next = scheduler.nextAt();
    }
    clock.moveTo(end);
  }

  return {
    context,
    sent,
    settle,
    advance,
    now: clock.now,
    receive(next: Receive) {
      receive = next;
    },
    webhook(changes: Partial<Webhook> = {}): Webhook {
      const webhook: Webhook = {
        id: 'wh_1',
        organization: 'org_1',
        project: 'prj_1',
        event: 'data_updated',
        url: 'https://app.example/hooks',
        status: 'enabled',
        secrets: [{ secret: secretOf('W'), createdAt: start }],
        createdAt: start,
        updatedAt: start,
        ...changes,
      };
      store.table('webhooks').put(webhook);
      return webhook;
    },
    webhookNow: (id = 'wh_1') => store.table('webhooks').get(id),
    delivery: ({ id }: { id: string }): Delivery => store.table('deliveries').get(id) as Delivery,
    deliveries: () => store.table('deliveries').oldest({ limit: 100_000 }),
    events: () => logs.events.oldest(),
  };
}
