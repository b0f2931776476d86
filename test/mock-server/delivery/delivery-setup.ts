import type { Context, Settings } from '../../../mock-server/domain/context.ts';
import { createAttemptHandler } from '../../../mock-server/domain/delivery/attempt.ts';
import { createHistory } from '../../../mock-server/domain/history.ts';
import { createHolds } from '../../../mock-server/domain/holds.ts';
import { seededRandom } from '../../../mock-server/domain/ids.ts';
import type { JobHandler } from '../../../mock-server/domain/job-runner.ts';
import { createLiveGenerations } from '../../../mock-server/domain/live-generations.ts';
import { Log, type Logs } from '../../../mock-server/domain/log.ts';
import type {
  Clock,
  OutboundOutcome,
  OutboundRequest,
  Ports,
  Store,
} from '../../../mock-server/domain/ports.ts';
import type { Delivery, Project, Webhook } from '../../../mock-server/domain/records.ts';
import { createScheduler } from '../../../mock-server/domain/scheduler.ts';
import { platform } from '../../../mock-server/platform/crypto.ts';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { standardScheme } from '../../../src/signing/scheme.ts';

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

/** Everything that deliveries need and nothing else, with a function as the receiver. The clock is manual unless one is given. */
export function deliverySetup(
  options: {
    receive?: Receive;
    seed?: number;
    logLimit?: number;
    transport?: Ports['transport'];
    store?: Store;
    clock?: Clock;
  } = {},
) {
  const store = options.store ?? memoryStore();
  let now = start;
  const sent: Sent[] = [];
  const state = { receive: options.receive ?? (() => ({ status: 200, snippet: '' })) };
  const clock = options.clock ?? { now: () => now, wall: () => now };
  const unused = () => {
    throw new Error('Deliveries do not use this.');
  };
  const failures: unknown[] = [];
  let handler: JobHandler;
  const logs: Logs = {
    events: new Log('evt', () => 0),
    requests: new Log('rql', () => 0),
  };
  const settings: Settings = {
    quota: 1000,
    models: ['content-1'],
    processingTime: { min: 0, max: 0 },
    streamGrace: 60_000,
    tokenHeader: 'X-Service-Token',
    tokenPrefix: '',
    userAgent: 'contentgen-webhooks/0.0.0',
    strictHttps: false,
    allowPrivate: false,
    allowLoopback: true,
    logBodies: true,
    retention: { count: 100_000, bytes: 1e9 },
    logLimit: options.logLimit ?? 10_000,
  };
  const context: Context = {
    store,
    live: createLiveGenerations(),
    holds: createHolds(),
    logs,
    requestIds: new Map(),
    history: createHistory(store, logs, settings),
    observe: () => {},
    scheduler: createScheduler(
      store,
      clock,
      () => handler,
      (error) => failures.push(error),
    ),
    settings,
    ports: {
      clock,
      random: seededRandom(store, options.seed ?? 1),
      digest: platform().digest,
      seal: unused,
      unseal: unused,
      sign: (input) => standardScheme().sign(input),
      tokens: { issue: unused, verify: unused, jwks: unused },
      generate: unused,
      transport:
        options.transport ??
        (async (request, options) => {
          const at = now;
          sent.push({ ...request, at });
          return state.receive({ ...request, at }, options);
        }),
      pause: unused,
    },
  };
  handler = createAttemptHandler(context);

  store.table('organizations').put({ id: 'org_1', rngStream: 1, quota: 1000, createdAt: start });
  const project: Project = {
    id: 'prj_1',
    organization: 'org_1',
    secrets: [{ secret: secretOf('P'), createdAt: start }],
    createdAt: start,
  };
  store.table('projects').put(project);

  /** Runs what is due and waits for attempts in flight, until no more of them end. */
  async function settle(): Promise<void> {
    for (;;) {
      context.scheduler.runDue();
      await new Promise((resolve) => setImmediate(resolve));
      const next = context.scheduler.nextAt();
      if (next !== undefined && next <= now) continue;
      const before = context.scheduler.inFlight;
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (context.scheduler.inFlight === before) break;
    }
    if (failures.length > 0) throw failures.shift();
  }

  /** Moves the clock on and runs everything at its own time. */
  async function advance(ms: number): Promise<void> {
    const end = now + ms;
    await settle();
    for (;;) {
      const next = context.scheduler.nextAt();
      if (next === undefined || next > end) break;
      now = Math.max(now, next);
      await settle();
    }
    now = end;
  }

  return {
    context,
    sent,
    project,
    settle,
    advance,
    now: () => now,
    receive(receive: Receive) {
      state.receive = receive;
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
    events: () => logs.events.oldest({ limit: 100_000 }),
  };
}

export const status = (code: number, more: object = {}) => ({ status: code, snippet: '', ...more });
