import { version } from '../src/generated/version.ts';
import { standardScheme } from '../src/signing/standard-scheme.ts';
import { createFetch } from './api/create-fetch.ts';
import { createHandler } from './api/handle-request.ts';
import { sweepIdempotency } from './api/idempotency.ts';
import { type MakeResponse, toResponse, unavailableReply } from './api/reply.ts';
import { weightOfRequest } from './api/request-log.ts';
import { listRoutes } from './api/routes.ts';
import { createPorts, type PortDriver } from './composition/create-ports.ts';
import { readContract, withDeployment } from './composition/deployment.ts';
import { hideInternals, type Internals } from './composition/internals.ts';
import type { MockServer } from './composition/mock-server.ts';
import type { MockServerOptions } from './composition/options.ts';
import { assertDeployment, isTestRun, resolveOptions } from './composition/resolve-options.ts';
import { createAdvanceClock, type MovableClock } from './control/clock/advance-clock.ts';
import { stillWaiting } from './control/clock/describe-work.ts';
import { createTestTraps, findFakedMicrotasks } from './control/clock/test-traps.ts';
import { createControl } from './control/control.ts';
import { describeUnusedFaults } from './control/faults/faults.ts';
import { createHoldsById } from './control/hold.ts';
import { deliveryView } from './control/logs/logs.ts';
import { openFirstOrganization } from './control/organizations/first-organization.ts';
import { createPageCalls } from './control/page-calls.ts';
import { createInitialState } from './control/snapshot/initial-state.ts';
import { closePeriod } from './domain/billing.ts';
import type { Context, Settings } from './domain/context.ts';
import { createAttemptHandler } from './domain/delivery/attempt.ts';
import { weightOfEvent } from './domain/event-log.ts';
import { createHistory } from './domain/history.ts';
import { createHolds } from './domain/holds.ts';
import type { JobHandler } from './domain/job-runner.ts';
import { createLiveGenerations } from './domain/live-generations.ts';
import { Log, type Logs } from './domain/log.ts';
import type { JobKind } from './domain/records.ts';
import { completeGeneration } from './domain/run-generation.ts';
import { createScheduler } from './domain/scheduler.ts';
import { addFault, type FaultInput } from './domain/take-fault.ts';
import { createReceivers, receiversFirst } from './outbound/in-process.ts';
import { stayHere } from './outbound/stay-here.ts';
import { createOutbound, type OutboundOptions } from './outbound/transport.ts';
import { driveInRealTime, manualClock, pause, realClock } from './platform/timers.ts';
import { findFakedTimers } from './real-timers.ts';
import { createSave, durableHandler, durableTransport } from './stores/durable.ts';
import { memoryStore } from './stores/memory.ts';

/**
 * Creates a reference server: the whole service in this process, with its own clock and state.
 *
 * @throws TypeError with the code `validation_failed`, naming the option that is wrong
 * @example
 * ```ts
 * import { createMockServer } from 'contentgen/mock';
 *
 * const mock = createMockServer({ clock: 'manual', seed: 1 });
 * const response = await mock.fetch(`${mock.baseUrl}/api/usage`, {
 *   headers: { 'X-API-Key': mock.memberKey },
 * });
 * console.log(response.status); // 200
 * ```
 */
export function createMockServer(given: MockServerOptions = {}): MockServer {
  assertDeployment(given);
  return assemble(given).server;
}

// `console` is looked up at each call, in case it is replaced later.
const reportError = (error: unknown) => console.error(error);
const reportWarning = (sentence: string) => console.warn(sentence);

/** A server with a manual clock, and what a caller needs to run it step by step. */
export interface DrivenServer {
  readonly server: MockServer;
  readonly context: Context;
  readonly clock: MovableClock;
}

/** Creates a server for a caller that runs due jobs itself. */
export function createDrivenServer(options: MockServerOptions, driver?: PortDriver): DrivenServer {
  return assemble({ ...options, clock: 'manual' }, driver);
}

function assemble(given: MockServerOptions, driver?: PortDriver): DrivenServer {
  const options = withDeployment(given);
  const resolved = resolveOptions(options, version);
  // Listening on a socket can tighten them later.
  const settings = { ...resolved.settings };
  const onError = options.onError ?? reportError;
  const onWarning = options.onWarning ?? reportWarning;

  const store = options.store ?? memoryStore();
  const save = createSave(store, onError);
  const clock = options.clock === 'manual' ? manualClock(store, resolved.start) : realClock(store);

  const receivers = createReceivers();
  const outbound = createOutbound(outboundOptions(options, settings));
  const network =
    options.deliveries?.transport ??
    (resolved.network ? outbound.send : stayHere(outbound.send, onWarning));
  const scheme = options.scheme ?? standardScheme();
  const ports = createPorts(options, {
    store,
    clock,
    issuer: resolved.issuer,
    onError,
    driver,
    sign: (input) => scheme.sign(input),
    transport: durableTransport(store, save, receiversFirst(receivers, network)),
  });

  const { onFailure, takeFailure } = keepFailures(onError);
  // The handlers need the context, which needs the scheduler; no job runs before both exist.
  const scheduler = createScheduler(store, clock, (kind) => jobs[kind], onFailure);
  const live = createLiveGenerations();
  const holds = createHolds();
  const logs: Logs = {
    events: new Log('evt', weightOfEvent, onError),
    requests: new Log('rql', weightOfRequest, onError),
  };
  const context: Context = {
    store,
    ports,
    settings,
    scheduler,
    live,
    holds,
    logs,
    requestIds: new Map(),
    history: createHistory(store, logs, settings),
  };
  const jobs = jobHandlers(context);

  const { organization: home, resumed } = openFirstOrganization(context, options);
  if (!resumed) {
    for (const fault of options.faults ?? []) addFault(context, fault as FaultInput);
  }
  const initialState = createInitialState(store, resumed, clock.now());

  const { patience } = resolved;
  const advanceClock = createAdvanceClock({
    scheduler,
    clock,
    patience,
    takeFailure,
    onGiveUp: (work) => onWarning(stillWaiting(context, work, patience)),
  });
  // A simulation moves the clock itself.
  if (clock.mode === 'manual' && !driver) {
    const traps = createTestTraps(context, onWarning);
    logs.events.listen(traps.onEvent);
    logs.requests.listen(traps.onRequest);
  }
  const standstill = clock.mode === 'real' ? findFakedTimers() : undefined;
  if (standstill) onWarning(standstill);
  const stopTimers = clock.mode === 'real' ? driveInRealTime(scheduler, clock) : undefined;

  const reply = createHandler(context, {
    deployment: options.deployment,
    basePath: resolved.basePath,
    contract: () => readContract(options.deployment),
    pause,
    onError,
  });
  // A response is sent only after the changes that it reports are durable.
  const replyDurably = durableHandler(store, save, async (request, make) =>
    toResponse(await reply(request), make),
  );
  async function respond(request: Request, make?: MakeResponse): Promise<Response> {
    try {
      const response = await replyDurably(request, make);
      if (response) return response;
    } catch (error) {
      onError(error);
    }
    return toResponse(unavailableReply(), make);
  }

  let closing: Promise<void> | undefined;
  async function end(): Promise<void> {
    stopTimers?.();
    const unused = !driver && isTestRun() ? describeUnusedFaults(context) : undefined;
    if (unused) onWarning(unused);
    const closed = new Error('The mock server was closed.');
    holds.abandon(closed);
    scheduler.abandon(closed);
    await outbound.close();
  }

  let saidFaked = false;
  function handle(request: Request, make?: MakeResponse): Promise<Response> {
    if (closing) return Promise.resolve(Response.error());
    const faked = findFakedMicrotasks();
    if (faked === undefined) return respond(request, make);
    // A client retries on faked timers, so the test would never see the error.
    if (!saidFaked) onWarning(faked);
    saidFaked = true;
    return Promise.reject(new TypeError(faked));
  }

  const control = createControl(context, {
    clock,
    advanceClock,
    initialState,
    home,
  });
  const { baseUrl } = resolved;
  const send = createFetch(
    (request, make) => internals.handle(request, make),
    () => internals.isClosed,
  );
  const clientOptions = (apiKey: string) => ({
    baseUrl,
    apiKey,
    fetch: send,
    backoff: { initial: 0, max: 0 },
    ...(options.deployment && { deployment: options.deployment }),
  });
  const server: MockServer = {
    ...control,
    baseUrl,
    adminKey: home.adminKey,
    memberKey: home.memberKey,
    clientOptions: clientOptions(home.memberKey),
    adminOptions: clientOptions(home.adminKey),
    // A rotation, a reset or a restore changes them.
    get organization() {
      return home.organization;
    },
    get signingSecret() {
      return home.signingSecret;
    },
    receivers,
    fetch: send,
    close() {
      closing ??= end();
      return closing;
    },
  };
  const internals: Internals = {
    get isClosed() {
      return closing !== undefined;
    },
    warn: onWarning,
    get project() {
      return home.project;
    },
    resumed,
    routes: listRoutes(options.deployment),
    handle,
    flushed: () => store.flushed?.(),
    onEvent: (listener) => logs.events.listen(listener),
    onRequest: (listener) => logs.requests.listen(listener),
    delivery(id) {
      const row = store.table('deliveries').get(id);
      return row && deliveryView(row);
    },
    forbidLoopback() {
      settings.allowLoopback = false;
    },
    holds: createHoldsById(context),
    page: createPageCalls(context, { home, baseUrl, mode: clock.mode }),
  };
  hideInternals(server, internals);
  return { server, context, clock };
}

/** Listening on a socket can forbid loopback later, so that is read at each attempt. */
function outboundOptions({ deliveries }: MockServerOptions, settings: Settings): OutboundOptions {
  return {
    ...(deliveries?.ca !== undefined && { ca: deliveries.ca }),
    allowPrivate: settings.allowPrivate,
    strictHttps: settings.strictHttps,
    get allowLoopback() {
      return settings.allowLoopback;
    },
  };
}

/** Reports errors of jobs, and keeps them for the step of the clock that ran the job. */
function keepFailures(onError: (error: unknown) => void) {
  const failures: { readonly error: unknown }[] = [];
  return {
    onFailure(error: unknown) {
      failures.push({ error });
      onError(error);
    },
    takeFailure: () => failures.shift(),
  };
}

function jobHandlers(context: Context): Readonly<Record<JobKind, JobHandler>> {
  return {
    'generation.complete': completeGeneration(context),
    'delivery.attempt': createAttemptHandler(context),
    'usage.period_end': (job) => closePeriod(context, job.ref),
    'idempotency.sweep': (job) => sweepIdempotency(context, job.ref),
  };
}
