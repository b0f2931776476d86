import type { Context } from '../domain/context.ts';
import { timestamp } from '../domain/periods.ts';
import type { StoreSnapshot } from '../domain/ports.ts';
import { failInterrupted } from '../domain/run-generation.ts';
import { assertArguments, type Duration, milliseconds } from './arguments.ts';
import { type Billing, createBilling } from './billing.ts';
import { type AdvanceClock, checkInstant, type MovableClock } from './clock/advance-clock.ts';
import { createFaults, type Faults } from './faults/faults.ts';
import { createHoldCalls, type HoldCalls } from './hold.ts';
import { readCoverage, type SituationView } from './logs/coverage.ts';
import {
  type DeliveryView,
  type EventView,
  type LogQuery,
  type RequestView,
  readLog,
} from './logs/logs.ts';
import { issueToken, type TokenRequest } from './organizations/issue-token.ts';
import {
  type Organization,
  type OrganizationOptions,
  openOrganization,
  organizationRules,
} from './organizations/organizations.ts';
import { type DeliveryChanges, redeliverOne } from './redeliver.ts';
import { type InitialState, withoutInitialState } from './snapshot/initial-state.ts';
import { checkSnapshot, type Snapshot } from './snapshot/snapshot.ts';
import { type TriggerEvent, type TriggerPayloads, trigger } from './trigger/trigger.ts';

/** The server's clock, which a test can move. */
export interface ControlClock {
  /** `manual` stands still until it is advanced; `real` follows the wall clock. */
  readonly mode: 'manual' | 'real';
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Moves the clock forward, runs each due job at its own time and in order, and resolves to the new time in ms. Each
   * step waits for receivers and generators that are still working, for at most the option `patience`.
   *
   * @throws ControlError `validation_failed` for an invalid duration
   */
  advance(duration: Duration): Promise<number>;
}

/** The test's side of a mock: time, faults, events, logs and state. */
export interface Control {
  /** The mock's clock. */
  readonly clock: ControlClock;
  /** The invoices of the organizations. */
  readonly billing: Billing;
  /** Makes operations and deliveries fail. */
  readonly faults: Faults;
  /**
   * Holds the next call of an operation, or the next attempt of a delivery: it stands still until the test lets it go, and
   * `started` resolves once it does. `hold('generateContent')` holds the text of the generation, piece by piece. A call
   * that the service rejects is not held.
   *
   * @throws ControlError `validation_failed`, or `not_found` for an unknown `organization`
   * @example
   * ```ts
   * import { ContentGen } from 'contentgen';
   * import { createMockServer } from 'contentgen/mock';
   *
   * const mock = createMockServer({ clock: 'manual', seed: 1 });
   * const client = new ContentGen(mock.clientOptions);
   * const held = mock.hold('generateContent');
   * const text = client.content.generate({ prompt: 'A haiku' });
   * await held.started; // the page shows that it is loading
   * held.release();
   * ```
   */
  readonly hold: HoldCalls;
  /**
   * Runs everything that is due now, including deliveries and what becomes due as a result, without moving the clock: the
   * short form of `clock.advance(0)`. Resolves to the clock's time in ms.
   */
  settle(): Promise<number>;
  /**
   * Issues a JWT for a user. It does not check that the project belongs to the organization; the service rejects the
   * token if it does not.
   *
   * @throws ControlError `validation_failed`, or `not_found` for an organization without a project to default to
   */
  issueToken(request: TokenRequest): Promise<string>;
  /**
   * Creates an organization with its own keys, data, quota and signing secret, so that parallel tests can share one
   * server.
   *
   * @throws ControlError `validation_failed`, or `not_found` for an unknown `organization`
   */
  createOrganization(options?: Pick<OrganizationOptions, 'quota' | 'organization'>): Organization;
  /**
   * Raises an event as the service would, for the first organization unless another is given, and returns the
   * deliveries that it queued. `generation_completed` and `generation_failed` end a generation and send its result
   * callback.
   *
   * @throws ControlError `validation_failed`, `not_found`, `invalid_state`
   */
  trigger<Event extends TriggerEvent>(
    event: Event,
    payload?: TriggerPayloads[Event],
    options?: {
      /** The organization that gets the event. Default: the first one. */
      readonly organization?: string;
    },
  ): DeliveryView[];
  /** Returns the log of events. */
  events(query?: LogQuery): EventView[];
  /** Returns the log of requests. */
  requests(query?: LogQuery): RequestView[];
  /** Returns the deliveries. */
  deliveries(query?: LogQuery): DeliveryView[];
  /**
   * Sends a delivery again: with the same bytes and `webhook-id`, and now, if it is still pending. With changes, a copy
   * with a `webhook-id` of its own is sent, which the server signs like any other.
   *
   * @throws ControlError `not_found`; `invalid_state` while an attempt is in flight, or when its registration is disabled
   * or deleted
   */
  redeliver(delivery: string, changes?: DeliveryChanges): DeliveryView;
  /**
   * Counts how often the callers met each situation that tests should meet, such as a lost response. It reads the logs,
   * so it counts only what these still hold.
   */
  coverage(): SituationView[];
  /** Returns the whole state, for `restore`. */
  snapshot(): Snapshot;
  /**
   * Replaces all records and the clock's time with those of a snapshot. Requests in flight get a 503, generators are
   * aborted, and deliveries queued before the call are dropped. Receivers stay. A generation that was still running when
   * the snapshot was taken is restored as failed.
   *
   * @throws ControlError `validation_failed` for anything but a snapshot
   */
  restore(snapshot: Snapshot): void;
  /** Returns to the state just after creation: same organization, project, keys and secret. Receivers stay. */
  reset(): void;
}

export interface ControlParts {
  readonly clock: MovableClock;
  readonly advanceClock: AdvanceClock;
  readonly initialState: InitialState;
  readonly home: Organization;
}

export function createControl(context: Context, parts: ControlParts): Control {
  const { clock, advanceClock, initialState, home } = parts;
  const { store } = context;
  return {
    clock: {
      mode: clock.mode,
      now: () => clock.now(),
      async advance(duration) {
        const ms = milliseconds(duration);
        checkInstant(clock.now() + ms);
        return advanceClock.advance(ms);
      },
    },
    billing: createBilling(context),
    faults: createFaults(context),
    hold: createHoldCalls(context),
    settle: () => advanceClock.settle(),
    issueToken: (request) => issueToken(context, home, request),
    createOrganization: (options = {}) => openOrganization(context, options),
    trigger(event, payload, options = {}) {
      assertArguments(`Failed to trigger ${event}`, options, organizationRules);
      const { organization = home.organization } = options;
      return trigger(context, event, payload ?? {}, organization);
    },
    events: (query) => readLog(context, 'events', query),
    requests: (query) => readLog(context, 'requests', query),
    deliveries: (query) => readLog(context, 'deliveries', query),
    redeliver: (id, changes) => redeliverOne(context, id, changes),
    coverage: () => readCoverage(context),
    snapshot: () => ({
      version: 1,
      now: timestamp(clock.now()),
      state: withoutInitialState(store.snapshot()),
    }),
    restore(snapshot) {
      const at = checkSnapshot(snapshot);
      replaceState(context, clock, snapshot.state as StoreSnapshot, at);
      initialState.save();
    },
    reset() {
      const at = clock.mode === 'manual' ? initialState.startedAt : undefined;
      replaceState(context, clock, initialState.state, at);
      initialState.save();
    },
  };
}

/** Without `at`, the clock stays where it is. */
function replaceState(
  context: Context,
  clock: MovableClock,
  state: StoreSnapshot,
  at: number | undefined,
): void {
  const { store, scheduler, holds, live, logs, requestIds, history } = context;
  const replaced = new Error('The state was replaced.');
  holds.abandon(replaced);
  scheduler.abandon(replaced);
  store.restore(state);
  logs.events.clear();
  logs.requests.clear();
  requestIds.clear();
  live.prompts.clear();
  history.reload();
  scheduler.recover();
  if (at !== undefined) clock.moveTo(at);
  // The callers of the generations that were running when the state was saved are gone.
  store.transaction(failInterrupted(context));
  scheduler.clockMoved();
}
