import type { Context } from '../../domain/context.ts';
import type { Attempt, Delivery, Generation, RequestEntry } from '../../domain/records.ts';

/** Something that happens to an application, and how often yours met it. */
export interface SituationView {
  /** Its name: `response lost`. */
  readonly name: string;
  /** How often it happened. */
  readonly met: number;
}

type Situation<Row> = readonly [name: string, isMet: (row: Row) => boolean];

const isOk = ({ status = 0 }: { readonly status?: number | undefined }) =>
  status >= 200 && status < 300;
const codeIs = (code: string) => (row: RequestEntry) => row.problem?.['code'] === code;
const hadFault =
  (...names: string[]) =>
  (row: RequestEntry) =>
    row.fault !== undefined && names.includes(row.fault);

const ofRequests: readonly Situation<RequestEntry>[] = [
  ['response lost', hadFault('drop', 'loseAnswer')],
  ['response late', hadFault('delay')],
  ['response cut', hadFault('truncate', 'cutStream')],
  ['response garbled', hadFault('malformed')],
  ['response stalled', hadFault('stall')],
  ['rate limited', codeIs('rate_limited')],
  ['quota exceeded', codeIs('quota_exceeded')],
  ['service unavailable', ({ status }) => status === 503],
  [
    'server error',
    (row) => row.status >= 500 && row.status !== 503 && !codeIs('generation_failed')(row),
  ],
  ['model failed', codeIs('generation_failed')],
  ['credentials rejected', ({ status }) => status === 401],
  ['permission missing', ({ status }) => status === 403],
  ['record missing', ({ status }) => status === 404],
  ['request invalid', ({ status }) => status === 400 || status === 422],
  ['request in progress', codeIs('idempotency_in_progress')],
  ['state conflict', codeIs('invalid_state')],
  ['second page', ({ path }) => /[?&]cursor=/.test(path)],
];

/** Slower than most applications wait. */
const SLOW_MS = 10_000;

const ofGenerations: readonly Situation<Generation>[] = [
  [
    'generation slow',
    ({ createdAt, completedAt = createdAt }) => completedAt - createdAt >= SLOW_MS,
  ],
  ['generation failed', ({ status, delivery }) => status === 'failed' && delivery === 'callback'],
  ['generation canceled', ({ status }) => status === 'canceled'],
];

const struck =
  (effect: string) =>
  ({ faults = [] }: Delivery) =>
    faults.some((fault) => fault.effect === effect);
const hasAttempt =
  (matches: (attempt: Attempt) => boolean) =>
  ({ attempts }: Delivery) =>
    attempts.some(matches);
const isForged = ({ faults = [] }: Delivery) =>
  faults.some(({ effect }) => effect === 'badSignature' || effect === 'staleTimestamp');
const signatures = ({ requestHeaders = {} }: Attempt) => requestHeaders['webhook-signature'] ?? '';
const isRotated = (attempt: Attempt) => signatures(attempt).trim().includes(' ');

const ofDeliveries: readonly Situation<Delivery>[] = [
  [
    'delivery failed',
    (row) => !isForged(row) && hasAttempt(({ error }) => error === 'status')(row),
  ],
  ['receiver slow', hasAttempt(({ error }) => error === 'timeout')],
  ['receiver unreachable', hasAttempt(({ error }) => error === 'refused')],
  ['delivery lost', struck('drop')],
  ['acknowledgement lost', struck('loseAnswer')],
  ['delivery repeated', (row) => struck('duplicate')(row) || row.attempts.filter(isOk).length > 1],
  ['delivery late', struck('delay')],
  ['delivery overtaken', struck('reorder')],
  ['signature forged', struck('badSignature')],
  ['timestamp stale', struck('staleTimestamp')],
  ['secret rotated', hasAttempt(isRotated)],
  [
    'delivery given up',
    ({ status, attemptsBefore = 0 }) => status === 'failed' || attemptsBefore > 0,
  ],
  ['usage threshold', ({ event }) => event === 'usage_threshold'],
  ['payment failed', ({ event }) => event === 'invoice_payment_failed'],
];

/** Counts how often the logs show each situation. */
export function readCoverage({ store, logs }: Context): SituationView[] {
  const count = <Row>(rows: readonly Row[], situations: readonly Situation<Row>[]) =>
    situations.map(([name, isMet]) => ({ name, met: rows.filter(isMet).length }));
  return [
    ...count(logs.requests.oldest(), ofRequests),
    ...count(store.table('generations').oldest(), ofGenerations),
    ...count(store.table('deliveries').oldest(), ofDeliveries),
  ];
}
