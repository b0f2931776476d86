import { version } from '../src/generated/version.ts';
import { standardScheme } from '../src/signing/scheme.ts';
import { answerAbortably } from './api/abortable.ts';
import { createHandler } from './api/handle-request.ts';
import { sweepIdempotency } from './api/idempotency.ts';
import { type MakeResponse, toResponse } from './api/reply.ts';
import { listRoutes } from './api/routes.ts';
import { unavailableReply } from './api/unavailable.ts';
import { witness } from './api/witness.ts';
import { createPassage } from './control/advance-clock.ts';
import { type MovableClock, manualClock, realClock } from './control/clock.ts';
import { createControl } from './control/control.ts';
import { createBeginning } from './control/initial-state.ts';
import { createTenant, importAdminKey, type Tenant } from './control/tenants.ts';
import { closePeriod } from './domain/billing.ts';
import type { Context } from './domain/context.ts';
import { defaultGenerator } from './domain/default-generator.ts';
import { createAttemptHandler } from './domain/delivery/attempt.ts';
import { addFault } from './domain/faults.ts';
import { completeGeneration, failInterrupted } from './domain/generations.ts';
import type { JobHandler } from './domain/job-runner.ts';
import type { Ports, Store, Transport } from './domain/ports.ts';
import { platformRandom, seededRandom } from './domain/random.ts';
import type { Fault, JobKind, LogEvent, RequestEntry } from './domain/records.ts';
import { createScheduler } from './domain/scheduler.ts';
import type { MockServer } from './mock-server.ts';
import { type MockServerOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { type Receiver, receiversFirst } from './outbound/in-process.ts';
import { createOutbound } from './outbound/transport.ts';
import { platform } from './platform/crypto.ts';
import { readContract } from './platform/read-contract.ts';
import { countingWith, reporting } from './platform/reporting.ts';
import { driveInRealTime, pause } from './platform/timers.ts';
import { estimateTokens } from './platform/token-estimate.ts';
import { createTokenAuthority } from './platform/tokens.ts';
import { durableTransport, durably } from './stores/durable.ts';
import { memoryStore } from './stores/memory.ts';

function portsOf(
  options: MockServerOptions,
  { issuer, settings }: ResolvedOptions,
  store: Store,
  clock: MovableClock,
  receivers: ReadonlyMap<string, Receiver>,
  onError: (error: unknown) => void,
): { ports: Ports; close: () => Promise<void> } {
  const { digest, seal, unseal, fillRandom } = platform();
  const { seed, jwks, scheme = standardScheme() } = options;
  const { transport } = options;
  const outbound = transport ? undefined : createOutbound(settings);
  const network: Transport = transport ?? (outbound as NonNullable<typeof outbound>).send;
  const ports: Ports = {
    clock,
    random: seed === undefined ? platformRandom(fillRandom) : seededRandom(store, seed),
    digest,
    seal,
    unseal,
    sign: (input) => scheme.sign(input),
    tokens: createTokenAuthority({ issuer, ...(jwks && { jwks }) }),
    generate: options.generator ? reporting(options.generator, onError) : defaultGenerator,
    estimateTokens: options.estimateTokens
      ? countingWith(options.estimateTokens, onError)
      : estimateTokens,
    transport: durableTransport(store, receiversFirst(receivers, network)),
    pause: clock.mode === 'manual' ? async (_, signal) => signal.throwIfAborted() : pause,
  };
  return { ports, close: async () => outbound?.close() };
}

/** Told in order; one that throws keeps no other from being told. */
function createListeners<T>(onError: (error: unknown) => void) {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener: (value: T) => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell(value: T) {
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

/** What `fetch` rejects with where no answer comes. */
function failedFetch(closed: boolean): TypeError {
  if (!closed) return new TypeError('Failed to fetch.');
  const error = new TypeError('Failed to fetch: the mock server was closed.');
  return Object.assign(error, { code: 'mock_closed' });
}

/** The first organization, with keys that nobody can tell any more. */
function resume(context: Context, adminKey: string | undefined): Tenant {
  const [first] = context.store
    .table('organizations')
    .oldest({ limit: Number.POSITIVE_INFINITY })
    .sort((a, b) => a.rngStream - b.rngStream);
  const project = first && context.store.table('projects').find('organization', first.id);
  if (!first || !project) throw new Error('Failed to resume: the store holds no project.');
  context.scheduler.recover();
  context.store.transaction(failInterrupted(context));
  if (adminKey !== undefined) importAdminKey(context, first, project.id, adminKey);
  return {
    organization: first.id,
    project: project.id,
    adminKey: adminKey ?? '',
    memberKey: '',
    signingSecret: project.secrets[0]?.secret ?? '',
  };
}

/**
 * Makes a reference server: the whole service in this process, on a clock of its own.
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
export function createMockServer(options: MockServerOptions = {}): MockServer {
  const resolved = resolveOptions(options, version);
  const onError = options.onError ?? ((error: unknown) => console.error(error));
  const settings = { ...resolved.settings };
  const store = options.store ?? memoryStore();
  const clock = options.clock === 'manual' ? manualClock() : realClock(store);
  const receivers = new Map<string, Receiver>();
  const { ports, close } = portsOf(
    options,
    { ...resolved, settings },
    store,
    clock,
    receivers,
    onError,
  );
  const events = createListeners<LogEvent>(onError);
  const requests = createListeners<RequestEntry>(onError);
  const failures: { error: unknown }[] = [];

  const scheduler = createScheduler(
    store,
    clock,
    (kind) => jobs[kind],
    (error) => {
      failures.push({ error });
      onError(error);
    },
  );
  const context: Context = { store, ports, settings, scheduler, observe: events.tell };
  const jobs: { readonly [Kind in JobKind]: JobHandler } = {
    'generation.complete': completeGeneration(context),
    'delivery.attempt': createAttemptHandler(context),
    'usage.period_end': (job) => closePeriod(context, job.ref),
    'idempotency.sweep': (job) => sweepIdempotency(context, job.ref),
  };

  const resumed = store.table('organizations').count() > 0;
  const tenant = resumed
    ? resume(context, options.adminKey)
    : createTenant(context, options.adminKey === undefined ? {} : { adminKey: options.adminKey });
  if (!resumed)
    for (const fault of options.faults ?? []) addFault(context, fault as Omit<Fault, 'id'>);
  const beginning = createBeginning(store, resumed);
  const stop = clock.mode === 'real' ? driveInRealTime(scheduler, clock) : () => {};

  const seenBy = witness();
  const reply = createHandler(context, {
    ...(options.paths && { paths: options.paths }),
    ...(options.webhookUrlField !== undefined && { webhookUrlField: options.webhookUrlField }),
    ...(options.accessTokenHeader !== undefined && {
      accessTokenHeader: options.accessTokenHeader,
    }),
    basePath: resolved.basePath,
    contract: readContract,
    holdBack: (ms, signal) => (ms > 0 ? pause(ms, signal) : undefined),
    onRequest: requests.tell,
    onError,
    witness: seenBy,
  });
  const answer = durably(store, async (request: Request, make?: MakeResponse) =>
    toResponse(await reply(request), make),
  );
  let closing: Promise<void> | undefined;
  const handle = (request: Request, make?: MakeResponse): Promise<Response> => {
    if (closing) return Promise.resolve(Response.error());
    return answer(request, make).catch((error) => {
      onError(error);
      const unavailable = unavailableReply();
      return toResponse(seenBy?.(request, unavailable, {}) ?? unavailable, make);
    });
  };

  const passage = createPassage(scheduler, clock, () => failures.shift());

  return {
    ...tenant,
    ...createControl(context, { clock, passage, beginning, tenant, events, requests }),
    baseUrl: resolved.baseUrl,
    resumed,
    receivers,
    routes: listRoutes(options.paths),
    handle,
    async fetch(input, init) {
      const request = input instanceof Request && !init ? input : new Request(input, init);
      const response = await answerAbortably(request, handle);
      if (response.type === 'error') throw failedFetch(closing !== undefined);
      return response;
    },
    requireHttps() {
      settings.strictHttps = true;
    },
    close() {
      closing ??= (async () => {
        stop();
        scheduler.abandon(new Error('The mock server was closed.'));
        await close();
      })();
      return closing;
    },
  };
}

export type { MockServer, MockServerOptions };
