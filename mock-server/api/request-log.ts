import type { Context } from '../domain/context.ts';
import { newSerialId } from '../domain/ids.ts';
import type { Store } from '../domain/ports.ts';
import type { RequestEntry } from '../domain/records.ts';
import { redactSecrets } from '../domain/redact.ts';
import type { DecidedCall } from './call-context.ts';
import { redactBody, redactPath, redactProblem } from './redact-request.ts';

/** Limit for the bodies and long paths of all entries together, as they were sent. */
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const TOTAL_BYTES = 'requests:bytes';
const SHORT_PATH = 512;

/** Step: logs the call and notifies the listener. A call that a reset interrupted is not logged: the log is new. */
export function logRequest(
  call: DecidedCall,
  status: number,
  problem: { readonly [key: string]: unknown } | undefined,
): void {
  const { service, request, url, principal, route, bytes, receivedAt, lifetime } = call;
  if (lifetime.aborted) return;
  const { logBodies } = service.context.settings;
  const body = logBodies ? redactBody(call.json) : undefined;
  const entry = append(service.context, {
    // The caller chooses it, so it can hold anything.
    requestId: redactSecrets(call.requestId),
    at: receivedAt,
    method: request.method,
    path: redactPath(url),
    ...(route && { operation: route.operation }),
    ...(principal && {
      organization: principal.organization,
      project: principal.project,
      actor: principal.actor,
    }),
    ...(call.idempotencyKey !== undefined && { idempotent: true as const }),
    ...(body !== undefined && { body, bytes: bytes?.byteLength ?? 0 }),
    status,
    ...(problem && { problem: redactProblem(problem) as NonNullable<RequestEntry['problem']> }),
  });
  service.options.onRequest(entry);
}

/** Adds an entry. Beyond the limits of entries and of bytes, the oldest are dropped. */
function append(context: Context, facts: Omit<RequestEntry, 'id' | 'durationMs'>): RequestEntry {
  const requests = context.store.table('requests');
  const entry: RequestEntry = {
    ...facts,
    id: newSerialId(context.store, 'rql', 'requests'),
    durationMs: context.ports.clock.now() - facts.at,
  };
  requests.put(entry);
  const weight = weightOf(entry);
  const { logLimit } = context.settings;
  if (weight > 0 || requests.count() > logLimit) dropOldest(context.store, logLimit, weight);
  return entry;
}

function dropOldest(store: Store, logLimit: number, added: number): void {
  const requests = store.table('requests');
  const totals = store.table('counters');
  const before = totals.get(TOTAL_BYTES)?.value ?? 0;
  let total = before + added;
  for (let count = requests.count(); count > 1; count -= 1) {
    if (count <= logLimit && total <= MAX_TOTAL_BYTES) break;
    const [oldest] = requests.oldest({ limit: 1 });
    if (!oldest) break;
    requests.delete(oldest.id);
    total -= weightOf(oldest);
  }
  if (total !== before) totals.put({ id: TOTAL_BYTES, value: total });
}

/** A short path counts as nothing, so that most entries leave the total unchanged. */
const weightOf = ({ bytes = 0, path }: RequestEntry): number =>
  bytes + (path.length > SHORT_PATH ? path.length : 0);
