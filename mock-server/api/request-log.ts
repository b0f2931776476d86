import type { Context } from '../domain/context.ts';
import { linesBeforeDropping } from '../domain/event-log.ts';
import { newSerialId } from '../domain/ids.ts';
import { isObject } from '../domain/options.ts';
import type { Store } from '../domain/ports.ts';
import type { Json, RequestEntry } from '../domain/records.ts';
import {
  isSecretName,
  redactEncodedSecrets,
  redactLogged,
  redactQuery,
  redactSecrets,
} from '../domain/redact.ts';
import { organizationExists } from './authenticate.ts';
import type { Call, Findings } from './call.ts';

/** Limit for the bodies and long paths of all entries together, as they were sent. */
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const TOTAL_BYTES = 'requests:bytes';
const SHORT_PATH = 512;

/**
 * Logs the call and notifies the listener. A call that a reset interrupted is not logged, because the log has
 * started over.
 */
export function logRequest(
  call: Call,
  findings: Findings,
  requestId: string,
  status: number,
  problem: { readonly [key: string]: unknown } | undefined,
): void {
  const { service, request, url, receivedAt, lifetime } = call;
  const { principal, route, bytes, effect } = findings;
  if (lifetime.aborted) return;
  const { logBodies } = service.context.settings;
  const body = logBodies ? redactBody(findings.json) : undefined;
  const entry = append(service.context, {
    // The caller chooses this id, so it can contain a secret.
    requestId: redactSecrets(requestId),
    at: receivedAt,
    method: request.method,
    path: redactPath(url),
    ...(route && { operation: route.operation }),
    ...(principal &&
      organizationExists(service.context, principal) && {
        organization: principal.organization,
        project: principal.project,
        actor: principal.actor,
      }),
    ...(findings.idempotencyKey !== undefined && { idempotent: true as const }),
    ...(body !== undefined && { body, bytes: bytes?.byteLength ?? 0 }),
    status,
    ...(effect && { fault: Object.keys(effect)[0] as string }),
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
  if (weight > 0 || requests.count() > linesBeforeDropping(logLimit)) {
    dropOldest(context.store, logLimit, weight);
  }
  return entry;
}

function dropOldest(store: Store, logLimit: number, added: number): void {
  const requests = store.table('requests');
  const totals = store.table('counters');
  const before = totals.get(TOTAL_BYTES)?.value ?? 0;
  let total = before + added;
  const allowed =
    requests.count() > linesBeforeDropping(logLimit) ? logLimit : Number.POSITIVE_INFINITY;
  for (let count = requests.count(); count > 1; count -= 1) {
    if (count <= allowed && total <= MAX_TOTAL_BYTES) break;
    const [oldest] = requests.oldest({ limit: 1 });
    if (!oldest) break;
    requests.delete(oldest.id);
    total -= weightOf(oldest);
  }
  if (total !== before) totals.put({ id: TOTAL_BYTES, value: total });
}

/** Recounts the bytes of all entries: a store saves the log later than the total, and a crash can come in between. */
export function recountBytes({ store }: Context): void {
  const entries = store.table('requests').oldest({ limit: Number.POSITIVE_INFINITY });
  const value = entries.reduce((total, entry) => total + weightOf(entry), 0);
  const totals = store.table('counters');
  if (value !== (totals.get(TOTAL_BYTES)?.value ?? 0)) totals.put({ id: TOTAL_BYTES, value });
}

/** Drops the entries from before a time. */
export function dropRequestsBefore({ store }: Context, before: number): void {
  const requests = store.table('requests');
  const totals = store.table('counters');
  const total = totals.get(TOTAL_BYTES)?.value ?? 0;
  let left = total;
  for (;;) {
    const [oldest] = requests.oldest({ limit: 1 });
    if (!oldest || oldest.at >= before) break;
    requests.delete(oldest.id);
    left -= weightOf(oldest);
  }
  if (left !== total) totals.put({ id: TOTAL_BYTES, value: left });
}

/** A short path counts as nothing, so that most entries leave the total unchanged. */
const weightOf = ({ bytes = 0, path }: RequestEntry): number =>
  bytes + (path.length > SHORT_PATH ? path.length : 0);

const REDACTED = '[redacted]';
/** No request in the contract nests deeper, and values that nest much deeper could not be serialized again. */
const MAX_DEPTH = 4;

/** The path and query of a request as the log keeps them. A percent-encoded secret is found too. */
function redactPath({ pathname, search }: URL): string {
  const path = redactEncodedSecrets(pathname);
  if (search.length < 2) return path;
  return `${path}?${redactQuery(search.slice(1))}`;
}

/** A body as the log keeps it: without secrets and without values that nest too deep. */
function redactBody(body: unknown): Json | undefined {
  return isObject(body) ? redactValue(body, MAX_DEPTH + 1) : undefined;
}

/** Undefined for what nests too deep. */
function redactValue(value: unknown, depth: number): Json | undefined {
  if (typeof value === 'string') return redactLogged(value);
  if (typeof value !== 'object' || value === null) return value as Json;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, depth - 1));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  const fields: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    const kept = isSecretName(name) ? REDACTED : redactValue(member, depth - 1);
    if (kept !== undefined) fields.push([redactEncodedSecrets(name), kept]);
  }
  return Object.fromEntries(fields);
}

/** A problem document as the log keeps it: its messages can quote a secret that was sent. */
function redactProblem<Problem extends object>(problem: Problem): Problem {
  const text = JSON.stringify(problem);
  const redacted = redactSecrets(text);
  return redacted === text ? problem : (JSON.parse(redacted) as Problem);
}
