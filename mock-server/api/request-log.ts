import { isObject } from '../domain/options.ts';
import type { Json, RequestEntry } from '../domain/records.ts';
import { isSecretName, redact, redactLogged, redactQuery } from '../domain/redact.ts';
import type { Call, Findings } from './call.ts';

const LINE_BYTES = 512;
const PROBLEM_BYTES = 512;

/** Roughly what a request takes in memory. */
export const weightOfRequest = ({ path, bytes = 0, problem }: RequestEntry): number =>
  LINE_BYTES + path.length + bytes + (problem ? PROBLEM_BYTES : 0);

/**
 * Logs the call as received. A call that a reset interrupted is not logged, because the log has
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
  const { principal, route, effect, text } = findings;
  if (lifetime.aborted) return;
  const { context } = service;
  const { requests } = context.logs;
  const isKept = text !== undefined && context.settings.logBodies;
  const entry: RequestEntry = {
    id: requests.nextId(),
    requestId,
    at: receivedAt,
    method: request.method,
    path: url.pathname + url.search,
    operation: route?.operation,
    organization: principal?.organization,
    project: principal?.project,
    actor: principal?.actor,
    text: isKept ? text : undefined,
    bytes: isKept ? findings.bytes?.byteLength : undefined,
    status,
    fault: effect && Object.keys(effect)[0],
    problem,
    durationMs: context.ports.clock.now() - receivedAt,
  };
  requests.add(entry);
  context.history.trim();
}

export type RedactedRequest = Omit<RequestEntry, 'text' | 'problem'> & {
  readonly body?: Json;
  readonly problem?: { readonly [key: string]: Json };
};

/** A line without any secret: what callers send can contain one anywhere. */
export function redactRequest({ text, problem, ...entry }: RequestEntry): RedactedRequest {
  const body = text === undefined ? undefined : redactBody(JSON.parse(text));
  const { bytes, ...others } = entry;
  return {
    ...others,
    requestId: redact(entry.requestId),
    path: redactPath(entry.path),
    ...(body !== undefined && bytes !== undefined && { body, bytes }),
    ...(problem && { problem: redactProblem(problem) }),
  };
}

const REDACTED = '[redacted]';
/** No request in the contract nests deeper, and values that nest much deeper could not be serialized again. */
const MAX_DEPTH = 4;

/** A path with its query. A percent-encoded secret is found too. */
function redactPath(path: string): string {
  const query = path.indexOf('?');
  if (query < 0) return redact(path);
  return `${redact(path.slice(0, query))}?${redactQuery(path.slice(query + 1))}`;
}

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
    if (kept !== undefined) fields.push([redact(name), kept]);
  }
  return Object.fromEntries(fields);
}

/** A problem document's messages can quote a secret that was sent. */
function redactProblem(problem: object): NonNullable<RedactedRequest['problem']> {
  return redactValue(problem, MAX_DEPTH + 2) as NonNullable<RedactedRequest['problem']>;
}
