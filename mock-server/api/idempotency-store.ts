import type { Context } from '../domain/context.ts';
import { newSerialId } from '../domain/ids.ts';
import type { Commit } from '../domain/job-runner.ts';
import type { IdempotencyEntry } from '../domain/records.ts';
import { type Rejection, reject } from '../domain/rejection.ts';
import type { HeldKey, Principal, RememberedResponse, Service } from './call-context.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
const SEALED_MS = 60 * 60 * 1000;
/** Reference of the job that sweeps all entries; other jobs refer to one entry. */
const ALL = 'idempotency';
const KEY = /^[\x21-\x7e]{1,255}$/;

export interface CallFacts {
  /** The operation itself, not an alias. With the path parameters, it is the scope of the key. */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  /** Two calls under one key must agree on it. */
  readonly body: Uint8Array;
}

export type TakenKey =
  | ({ readonly kind: 'held' } & HeldKey)
  | { readonly kind: 'replay'; readonly entry: IdempotencyEntry };

/** Takes the key for this call, or finds the response that is remembered under it. */
export function takeKey(
  { context, runningKeys }: Service,
  { project }: Principal,
  key: string,
  facts: CallFacts,
): TakenKey | Rejection {
  if (!KEY.test(key)) {
    return reject('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  const { digest, clock } = context.ports;
  const params = JSON.stringify(Object.entries(facts.params).sort());
  const name = `${project}:${digest(`${project}\n${facts.operation}\n${params}\n${key}`)}`;
  const fingerprint = digest(facts.body);
  const table = context.store.table('idempotency');

  const entry = table.find('key', name);
  if (entry && clock.now() < entry.expiresAt) {
    if (entry.fingerprint === fingerprint) return { kind: 'replay', entry };
    return reject(
      'idempotency_key_reused',
      'This Idempotency-Key was used with a different body. Use a new key for each logical call.',
      { errors: [] },
    );
  }
  if (entry) table.delete(entry.id);
  if (runningKeys.has(name)) {
    return reject(
      'idempotency_in_progress',
      'A request with this Idempotency-Key is still running. Try again after Retry-After.',
      { retryAfterMs: 1000 },
    );
  }
  runningKeys.add(name);
  return {
    kind: 'held',
    remember: (response) => put(context, name, fingerprint, response),
    release: () => runningKeys.delete(name),
  };
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
}

/** The remembered body with its secret, or a rejection once the sealed secret is gone. */
export async function openRememberedBody(
  context: Context,
  { body, secret }: IdempotencyEntry,
  key: string,
): Promise<string | undefined | Rejection> {
  if (!secret || body === undefined) return body;
  const gone = reject(
    'invalid_state',
    'The first response contained a secret, which is kept for one hour only. Repeat the call with a new Idempotency-Key.',
  );
  if (context.ports.clock.now() >= secret.expiresAt) return gone;
  const opened = await context.ports.unseal(secret.sealed, key);
  if (opened === undefined) return gone;
  return JSON.stringify({ ...JSON.parse(body), [secret.field]: opened });
}

/**
 * The job that forgets: for one entry its sealed secret, after an hour; for all, every entry older than a day. It then
 * schedules itself for the oldest entry that is left.
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
