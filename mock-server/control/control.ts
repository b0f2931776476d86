import type { Context } from '../domain/context.ts';
import { failInterrupted } from '../domain/generations.ts';
import { timestamp } from '../domain/periods.ts';
import type { StoreSnapshot } from '../domain/ports.ts';
import type { Json, LogEvent, RequestEntry, Role, SystemEvent } from '../domain/records.ts';
import type { Passage } from './advance-clock.ts';
import { type Billing, createBilling } from './billing.ts';
import { checkInstant, type MovableClock } from './clock.ts';
import { ControlError } from './control-error.ts';
import { type Duration, milliseconds } from './duration.ts';
import { createFaults, type Faults } from './faults.ts';
import type { Beginning } from './initial-state.ts';
import {
  type DeliveryView,
  deliveryView,
  type EventView,
  eventView,
  type LogQuery,
  type RequestView,
  readDeliveries,
  readEvents,
  readRequests,
  requestView,
} from './logs.ts';
import { checkSnapshot, type Snapshot } from './snapshot.ts';
import {
  createTenant,
  listTenants,
  type Tenant,
  type TenantOptions,
  type TenantView,
} from './tenants.ts';
import { type TriggerPayloads, trigger } from './trigger.ts';

/** The server's time, in a test's hands. */
export interface ControlClock {
  readonly mode: 'manual' | 'real';
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Moves the clock on and runs each due thing at its own time, in order; answers the new time in ms. What is in
   * flight is waited for, at most 250 ms of wall time a step.
   * @throws ControlError `validation_failed` for anything but a duration
   */
  advance(duration: Duration): Promise<number>;
}

export interface TokenRequest {
  readonly role: Role;
  /** @default 'usr_' and 26 zeros */
  readonly sub?: string;
  /** @default the server's first organization */
  readonly organization?: string;
  /** @default the first project of the organization */
  readonly project?: string;
  /**
   * From now on the server's clock; a negative number of ms makes an expired one, taken for 30 s all the same.
   * @default '1 hour'
   */
  readonly expiresIn?: Duration;
  /** @default 'ES256' */
  readonly alg?: 'ES256' | 'RS256' | 'EdDSA';
}

/** What a test holds: time, faults, events, logs and state. */
export interface Control {
  readonly clock: ControlClock;
  readonly billing: Billing;
  readonly faults: Faults;
  /** Runs what is due now and what that makes due now, deliveries included, without moving the clock. */
  settle(): Promise<number>;
  /**
   * A JWT of a user. One whose project is not of its organization is made as it was asked for: the service refuses it.
   * @throws ControlError `validation_failed`, and `not_found` for an organization that has no project to fill in
   */
  issueToken(request: TokenRequest): Promise<string>;
  /** Keys, data, quota and secret of its own: tests that run side by side share one server. */
  createOrganization(options?: Pick<TenantOptions, 'quota' | 'organization'>): Tenant;
  organizations(): TenantView[];
  /**
   * Raises an event as the service would, for the first organization unless another is named.
   * @throws ControlError `validation_failed`, `not_found`, `invalid_state`
   */
  trigger<Event extends SystemEvent>(
    event: Event,
    payload?: TriggerPayloads[Event],
    options?: { readonly organization?: string },
  ): DeliveryView[];
  events(query?: LogQuery): EventView[];
  requests(query?: LogQuery): RequestView[];
  deliveries(query?: LogQuery): DeliveryView[];
  delivery(id: string): DeliveryView | undefined;
  /** Answers what stops it. */
  onEvent(listener: (event: EventView) => void): () => void;
  onRequest(listener: (entry: RequestView) => void): () => void;
  snapshot(): Snapshot;
  /**
   * Puts a snapshot's records and clock in the place of what there is. What is in flight ends: requests answer 503,
   * generators are aborted, nothing of before is delivered. Receivers stay. A generation that was being answered when
   * the snapshot was made has failed.
   * @throws ControlError `validation_failed` for anything but a snapshot
   */
  restore(snapshot: Snapshot): void;
  /** As just created: the same organization, project, keys and secret. Receivers stay. */
  reset(): void;
  /** Settles once all that was written is durable; undefined when nothing waits for that. */
  flushed(): Promise<void> | undefined;
}

interface Listeners<T> {
  add(listener: (value: T) => void): () => void;
}

export interface ControlParts {
  readonly clock: MovableClock;
  readonly passage: Passage;
  readonly beginning: Beginning;
  readonly tenant: Tenant;
  readonly events: Listeners<LogEvent>;
  readonly requests: Listeners<RequestEntry>;
}

const USER = `usr_${'0'.repeat(26)}`;
const ALGORITHMS = new Set<TokenRequest['alg']>(['ES256', 'RS256', 'EdDSA', undefined]);
const HOUR_MS = 3_600_000;

function claimsOf(context: Context, home: Tenant, request: TokenRequest) {
  const { role, sub = USER, organization: org = home.organization, expiresIn } = request;
  if (role !== 'admin' && role !== 'member') {
    throw new ControlError('validation_failed', "role must be 'admin' or 'member'.");
  }
  if (!ALGORITHMS.has(request.alg)) {
    throw new ControlError('validation_failed', "alg must be 'ES256', 'RS256' or 'EdDSA'.");
  }
  const first =
    org === home.organization
      ? home.project
      : context.store.table('projects').find('organization', org)?.id;
  const project = request.project ?? first;
  if (project === undefined) throw new ControlError('not_found', 'No such organization.');
  const now = context.ports.clock.now();
  const negative = typeof expiresIn === 'number' && expiresIn < 0;
  const lifetime = negative ? expiresIn : milliseconds(expiresIn ?? HOUR_MS);
  return {
    sub,
    org,
    project,
    role,
    iat: Math.floor(Math.min(now, now + lifetime) / 1000),
    exp: Math.floor((now + lifetime) / 1000),
  };
}

/** Everything of a mock that is neither its address nor its traffic. */
export function createControl(context: Context, parts: ControlParts): Control {
  const { clock, passage, tenant } = parts;
  const { store, scheduler } = context;

  function replace(state: StoreSnapshot, at: number | undefined): void {
    scheduler.abandon(new Error('The state was replaced.'));
    store.restore(state);
    scheduler.recover();
    if (at !== undefined) clock.moveTo(at);
    // What somebody was waiting for when the snapshot was made, nobody is waiting for any more.
    store.transaction(failInterrupted(context));
    scheduler.clockMoved();
  }

  const startedAt = clock.now();
  return {
    clock: {
      mode: clock.mode,
      now: () => clock.now(),
      async advance(duration) {
        const ms = milliseconds(duration);
        checkInstant(clock.now() + ms);
        return passage.advance(ms);
      },
    },
    billing: createBilling(context),
    faults: createFaults(context),
    settle: () => passage.settle(),
    async issueToken(request) {
      const { alg = 'ES256' } = request;
      return context.ports.tokens.issue(claimsOf(context, tenant, request), { alg });
    },
    createOrganization: (options = {}) => createTenant(context, options),
    organizations: () => listTenants(context),
    trigger: (event, payload, { organization } = {}) =>
      trigger(context, event, (payload ?? {}) as Json, organization ?? tenant.organization),
    events: (query) => readEvents(context, query),
    requests: (query) => readRequests(context, query),
    deliveries: (query) => readDeliveries(context, query),
    delivery(id) {
      const row = store.table('deliveries').get(id);
      return row && deliveryView(row);
    },
    onEvent: (listener) => parts.events.add((event) => listener(eventView(event))),
    onRequest: (listener) => parts.requests.add((entry) => listener(requestView(entry))),
    snapshot: () => ({ version: 1, now: timestamp(clock.now()), state: store.snapshot() }),
    restore(snapshot) {
      const at = checkSnapshot(snapshot);
      replace(snapshot.state as StoreSnapshot, at);
    },
    reset() {
      replace(parts.beginning.state, clock.mode === 'manual' ? startedAt : undefined);
      parts.beginning.keep();
    },
    flushed: () => store.flushed?.(),
  };
}
