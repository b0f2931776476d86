import type { Context } from '../../domain/context.ts';
import type { Attempt, Delivery, Generation, RequestEntry } from '../../domain/records.ts';
import { assertKnown } from '../arguments.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Something that happens to an application, and how often yours met it. */
export interface SituationView {
  /** Its name: `response lost`. */
  readonly name: string;
  /** How often it happened. */
  readonly met: number;
  /** How often the application ended it well: it repeated the call, gave up where no repeat helps, or took the delivery. */
  readonly handled: number;
}

/** What to count. */
export interface CoverageQuery {
  /** Only what belongs to this organization. @default all organizations */
  readonly organization?: string;
}

/** Where `contentgen/mock/coverage` waits for the servers of a test file. */
export const collectorKey: unique symbol = Symbol.for('contentgen.coverage');

/** A server whose situations are counted. */
export interface CountedServer {
  coverage(): SituationView[];
  reset(): void;
  restore(snapshot: Snapshot): void;
}

/** Lets the situations of a server be counted, if anything does. */
export function offerToCount(server: CountedServer): void {
  const shared = globalThis as { [collectorKey]?: { add(server: CountedServer): void } };
  shared[collectorKey]?.add(server);
}

interface Logs {
  /** For each request that was repeated later, whether a repetition succeeded. */
  readonly repeated: ReadonlyMap<RequestEntry, boolean>;
  /** Ids of the newest request that succeeded, and of the newest of these that read a generation; they sort by time. */
  readonly lastOk: string;
  readonly lastRead: string;
  readonly requests: readonly RequestEntry[];
  readonly deliveries: readonly Delivery[];
}

type Judge<Row> = (row: Row, logs: Logs) => boolean;
type Situation<Row> = readonly [name: string, isMet: (row: Row) => boolean, isHandled: Judge<Row>];

const isOk = ({ status = 0 }: { readonly status?: number }) => status >= 200 && status < 300;
const codeIs = (code: string) => (row: RequestEntry) => row.problem?.['code'] === code;
const hadFault =
  (...names: string[]) =>
  (row: RequestEntry) =>
    row.fault !== undefined && names.includes(row.fault);

/** Finds the later calls with the same body. A call that was rejected early or replayed is logged without its body. */
function findRepeated(requests: readonly RequestEntry[]): ReadonlyMap<RequestEntry, boolean> {
  const repeated = new Map<RequestEntry, boolean>();
  const later = new Map<string, boolean>();
  for (const row of requests.toReversed()) {
    const call = `${row.method} ${row.path}\n`;
    const body = call + JSON.stringify(row.body);
    const same = row.body ? [body, `${call}undefined`] : [`${call}any`];
    const found = same.map((key) => later.get(key)).filter((ok) => ok !== undefined);
    if (found.length > 0) repeated.set(row, found.includes(true));
    for (const key of [body, `${call}any`]) later.set(key, isOk(row) || later.get(key) === true);
  }
  return repeated;
}

const wasRepeated: Judge<RequestEntry> = (row, { repeated }) => repeated.get(row) === true;
const wasGivenUp: Judge<RequestEntry> = (row, { repeated }) => !repeated.has(row);
/** Repeated, or read later from its generation. */
const wasContinued: Judge<RequestEntry> = (row, logs) =>
  wasRepeated(row, logs) || logs.lastRead > row.id;

const ofRequests: readonly Situation<RequestEntry>[] = [
  ['response lost', hadFault('drop', 'loseAnswer'), wasRepeated],
  ['response late', hadFault('delay'), (row, logs) => isOk(row) || wasRepeated(row, logs)],
  ['response cut', hadFault('truncate', 'cutStream'), wasContinued],
  ['response garbled', hadFault('malformed'), wasRepeated],
  ['response stalled', hadFault('stall'), wasContinued],
  ['rate limited', codeIs('rate_limited'), wasRepeated],
  ['quota exceeded', codeIs('quota_exceeded'), wasGivenUp],
  ['service unavailable', ({ status }) => status === 503, wasRepeated],
  [
    'server error',
    (row) => row.status >= 500 && row.status !== 503 && !codeIs('generation_failed')(row),
    wasRepeated,
  ],
  ['model failed', codeIs('generation_failed'), wasGivenUp],
  ['credentials rejected', ({ status }) => status === 401, (row, { lastOk }) => lastOk > row.id],
  ['permission missing', ({ status }) => status === 403, wasGivenUp],
  ['record missing', ({ status }) => status === 404, wasGivenUp],
  ['request invalid', ({ status }) => status === 400 || status === 422, wasGivenUp],
  ['request in progress', codeIs('idempotency_in_progress'), wasRepeated],
  ['state conflict', codeIs('invalid_state'), wasGivenUp],
  ['second page', ({ path }) => /[?&]cursor=/.test(path), isOk],
];

/** Slower than most applications wait. */
const SLOW_MS = 10_000;

/** Whether the application learned how it ended. */
const isKnown: Judge<Generation> = ({ id }, { requests, deliveries }) =>
  deliveries.some(({ requestId, status }) => requestId === id && status === 'delivered') ||
  requests.some((row) => isOk(row) && row.operation === 'getGeneration' && row.path.includes(id));

const ofGenerations: readonly Situation<Generation>[] = [
  [
    'generation slow',
    ({ createdAt, completedAt = createdAt }) => completedAt - createdAt >= SLOW_MS,
    isKnown,
  ],
  [
    'generation failed',
    ({ status, delivery }) => status === 'failed' && delivery === 'callback',
    isKnown,
  ],
  ['generation canceled', ({ status }) => status === 'canceled', () => true],
];

const wasDelivered: Judge<Delivery> = ({ status }) => status === 'delivered';
const struck =
  (effect: string) =>
  ({ faults = [] }: Delivery) =>
    faults.some((fault) => fault.effect === effect);
const hasAttempt =
  (matches: (attempt: Attempt) => boolean) =>
  ({ attempts }: Delivery) =>
    attempts.some(matches);
/** A forged attempt must be rejected. */
const wasRejected =
  (effect: string): Judge<Delivery> =>
  ({ attempts, faults = [] }) =>
    faults
      .filter((fault) => fault.effect === effect)
      .every(({ attempt }) => /^4/.test(`${attempts[attempt - 1]?.status}`));
const isForged = ({ faults = [] }: Delivery) =>
  faults.some(({ effect }) => effect === 'badSignature' || effect === 'staleTimestamp');
const signatures = ({ requestHeaders = {} }: Attempt) => requestHeaders['webhook-signature'] ?? '';
const isRotated = (attempt: Attempt) => signatures(attempt).trim().includes(' ');

const ofDeliveries: readonly Situation<Delivery>[] = [
  [
    'delivery failed',
    (row) => !isForged(row) && hasAttempt(({ error }) => error === 'status')(row),
    wasDelivered,
  ],
  ['receiver slow', hasAttempt(({ error }) => error === 'timeout'), wasDelivered],
  ['receiver unreachable', hasAttempt(({ error }) => error === 'refused'), wasDelivered],
  ['delivery lost', struck('drop'), wasDelivered],
  ['acknowledgement lost', struck('loseAnswer'), wasDelivered],
  [
    'delivery repeated',
    (row) => struck('duplicate')(row) || row.attempts.filter(isOk).length > 1,
    (row, logs) =>
      wasDelivered(row, logs) && row.attempts.every(({ copies = [] }) => copies.every(isOk)),
  ],
  ['delivery late', struck('delay'), wasDelivered],
  ['delivery overtaken', struck('reorder'), wasDelivered],
  ['signature forged', struck('badSignature'), wasRejected('badSignature')],
  ['timestamp stale', struck('staleTimestamp'), wasRejected('staleTimestamp')],
  [
    'secret rotated',
    hasAttempt(isRotated),
    ({ attempts }) => attempts.some((attempt) => isRotated(attempt) && isOk(attempt)),
  ],
  [
    'delivery given up',
    ({ status, attemptsBefore = 0 }) => status === 'failed' || attemptsBefore > 0,
    wasDelivered,
  ],
  ['usage threshold', ({ event }) => event === 'usage_threshold', wasDelivered],
  ['payment failed', ({ event }) => event === 'invoice_payment_failed', wasDelivered],
];

const EVERY_ROW = { limit: Number.POSITIVE_INFINITY };

/** Counts the situations that the logs show: those that the application met, and those that it handled. */
export function readCoverage({ store }: Context, query: CoverageQuery = {}): SituationView[] {
  assertKnown('Failed to count', query, { organization: true });
  const { organization } = query;
  const isOwn = (row: { readonly organization?: string }) =>
    organization === undefined || row.organization === organization;
  const requests = store.table('requests').oldest(EVERY_ROW).filter(isOwn);
  const ok = requests.filter(isOk);
  const reads = ok.filter(({ operation }) => operation === 'getGeneration');
  const logs: Logs = {
    repeated: findRepeated(requests),
    lastOk: ok.at(-1)?.id ?? '',
    lastRead: reads.at(-1)?.id ?? '',
    requests,
    deliveries: store.table('deliveries').oldest(EVERY_ROW).filter(isOwn),
  };
  const generations = store.table('generations').oldest(EVERY_ROW).filter(isOwn);
  const count = <Row>(rows: readonly Row[], situations: readonly Situation<Row>[]) =>
    situations.map(([name, isMet, isHandled]) => {
      const met = rows.filter(isMet);
      return { name, met: met.length, handled: met.filter((row) => isHandled(row, logs)).length };
    });
  return [
    ...count(logs.requests, ofRequests),
    ...count(generations, ofGenerations),
    ...count(logs.deliveries, ofDeliveries),
  ];
}
