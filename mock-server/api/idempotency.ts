import type { Context } from '../domain/context.ts';
import { newSerialId } from '../domain/ids.ts';
import type { Commit } from '../domain/job-runner.ts';
import type { IdempotencyEntry } from '../domain/records.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type {
  Call,
  CallOutcome,
  HeldKey,
  NewCall,
  ReadCall,
  RememberedResponse,
  RunningKey,
} from './call.ts';
import { statusOfCode } from './problem.ts';
import { canonical } from './routes.ts';

const REMEMBERED_REJECTIONS: ReadonlySet<string> = new Set(['not_found', 'invalid_state']);
const KEPT_MS = 24 * 60 * 60 * 1000;
const SEALED_MS = 60 * 60 * 1000;
/** Reference of the job that sweeps all entries; other jobs refer to one entry. */
const ALL = 'idempotency';
/** The most that are remembered: beyond it, the oldest is forgotten before its time. */
const MOST_KEPT = 100_000;
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A call that has run before, or still runs, with the same idempotency key. */
export type Repetition =
  | { readonly kind: 'running'; readonly generation: string }
  | { readonly kind: 'remembered'; readonly key: string; readonly entry: IdempotencyEntry };

/** The idempotency key of a call, if it sent one where it counts. */
export function idempotencyKeyOf({ request, service }: Call): string | undefined {
  const { deployment } = service.options;
  const header = deployment ? deployment.idempotencyHeader : 'idempotency-key';
  if (request.method !== 'POST' || header === undefined) return undefined;
  return request.headers.get(header) ?? undefined;
}

/**
 * Takes the key for this call, or finds what is remembered under it. Rejects the call if another one holds the key, or
 * used it for a different body. A key belongs to the operation (an alias counts as its original) and its parameters.
 */
export function claimKey(
  call: Call,
  { permit, bytes }: ReadCall,
  key: string | undefined,
): NewCall | Repetition | Rejection {
  if (key === undefined) return { kind: 'new', permit, heldKey: undefined };
  if (!KEY.test(key)) {
    return reject('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  const { context, runningKeys } = call.service;
  const { digest, clock } = context.ports;
  const { project } = permit.principal;
  const operation = canonical(permit.route.operation);
  const params = JSON.stringify(Object.entries(permit.route.params).sort());
  const name = `${project}:${digest(`${project}\n${operation}\n${params}\n${key}`)}`;
  const fingerprint = digest(bytes);
  const table = context.store.table('idempotency');

  const entry = table.find('key', name);
  const isReused = (before: { readonly fingerprint: string }) => before.fingerprint !== fingerprint;
  const reused = () =>
    reject(
      'idempotency_key_reused',
      'This Idempotency-Key was used with a different body. Use a new key for each logical call.',
      { errors: [] },
    );
  if (entry && clock.now() < entry.expiresAt) {
    return isReused(entry) ? reused() : { kind: 'remembered', key, entry };
  }
  if (entry) table.delete(entry.id);
  const running = runningKeys.get(name);
  if (running) {
    if (running.generation !== undefined) {
      return isReused(running) ? reused() : { kind: 'running', generation: running.generation };
    }
    return reject(
      'idempotency_in_progress',
      'A request with this Idempotency-Key is still running. Wait as long as Retry-After says, then retry.',
      { retryAfterMs: 1000 },
    );
  }
  const holder: RunningKey = { fingerprint };
  runningKeys.set(name, holder);
  const heldKey: HeldKey = {
    key,
    streaming: (generation) => {
      holder.generation = generation;
    },
    remember: (response) => put(context, name, fingerprint, response),
    release: () => runningKeys.delete(name),
  };
  return { kind: 'new', permit, heldKey };
}

/** Frees the key. That of a stream is freed when the stream ends. */
export function releaseKey(heldKey: HeldKey | undefined, outcome: CallOutcome): void {
  if (!heldKey) return;
  if (isRejection(outcome) || !outcome.stream) heldKey.release();
  else if (outcome.stream.ended) void outcome.stream.ended.finally(() => heldKey.release());
}

/** What to remember: results, and rejections by an operation that ran. After anything else, the key can be used again. */
export function toRemembered(outcome: CallOutcome): RememberedResponse | undefined {
  if (isRejection(outcome)) {
    if (!REMEMBERED_REJECTIONS.has(outcome.code)) return undefined;
    return { status: statusOfCode(outcome.code), body: JSON.stringify(outcome) };
  }
  const { status, body, generation, secret } = outcome;
  if (generation !== undefined) return { status, generation };
  if (!body) return { status };
  if (!secret) return { status, body: JSON.stringify(body) };
  const { [secret.field]: _, ...withoutSecret } = body as Record<string, unknown>;
  return { status, body: JSON.stringify(withoutSecret), secret };
}

function put(
  context: Context,
  key: string,
  fingerprint: string,
  { secret, ...response }: RememberedResponse,
): void {
  const now = context.ports.clock.now();
  const table = context.store.table('idempotency');
  if (table.count() === 0) context.scheduler.schedule('idempotency.sweep', ALL, now + KEPT_MS);
  const id = newSerialId(context.store, 'idm', 'idempotency');
  if (secret) context.scheduler.schedule('idempotency.sweep', id, now + SEALED_MS);
  table.put({
    ...response,
    id,
    key,
    fingerprint,
    ...(secret && { secret: { ...secret, expiresAt: now + SEALED_MS } }),
    expiresAt: now + KEPT_MS,
  });
  if (table.count() <= MOST_KEPT) return;
  const [oldest] = table.oldest({ limit: 1 });
  if (oldest) table.delete(oldest.id);
}

/**
 * The job that deletes the sealed secret of one entry after an hour or, if `ref` is all of them, the entries older than
 * a day. In the latter case, it then schedules itself for the oldest entry left.
 */
export function sweepIdempotency(context: Context, ref: string): Commit {
  if (ref !== ALL) return () => dropSealedSecret(context, ref);
  const table = context.store.table('idempotency');
  return () => {
    const now = context.ports.clock.now();
    for (;;) {
      const [oldest] = table.oldest({ limit: 1 });
      if (!oldest) return;
      if (now < oldest.expiresAt) {
        context.scheduler.schedule('idempotency.sweep', ALL, oldest.expiresAt);
        return;
      }
      table.delete(oldest.id);
    }
  };
}

function dropSealedSecret(context: Context, id: string): void {
  const table = context.store.table('idempotency');
  const entry = table.get(id);
  if (entry?.secret) table.put({ ...entry, secret: { ...entry.secret, sealed: '' } });
}
