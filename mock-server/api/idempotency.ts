import type { Context } from '../domain/context.ts';
import { newSerialId } from '../domain/ids.ts';
import type { Commit } from '../domain/job-runner.ts';
import type { IdempotencyEntry } from '../domain/records.ts';
import { type Rejection, reject } from '../domain/rejection.ts';
import type { Principal } from './principal.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
const SEALED_MS = 60 * 60 * 1000;
/** What a sweep of every entry is about, where others are about one. */
const ALL = 'idempotency';
const KEY = /^[\x21-\x7e]{1,255}$/;

/** What makes two calls the same. */
export interface CallFacts {
  /** An alias's own operation. */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An answer as it is remembered. */
export interface RememberedAnswer {
  readonly status: number;
  /** JSON text, without the secret. */
  readonly body?: string;
  /** The generation whose stream the answer was. */
  readonly stream?: string;
  /** Member of the body that is kept sealed. */
  readonly secret?: { readonly field: string; readonly sealed: string };
}

export interface FreshCall {
  readonly kind: 'fresh';
  /** Call it inside the commit that the answer belongs to. */
  remember(answer: RememberedAnswer): void;
  /** Frees the key when the call ends, remembered or not. */
  end(): void;
}

export interface ReplayedCall {
  readonly kind: 'replay';
  readonly entry: IdempotencyEntry;
}

/** Calls under way, in memory alone: a crash frees their keys. */
export type RunningCalls = Set<string>;

/** Decides what a key means for this call. */
export function beginIdempotent(
  context: Context,
  running: RunningCalls,
  principal: Principal,
  key: string,
  facts: CallFacts,
): FreshCall | ReplayedCall | Rejection {
  if (!KEY.test(key)) {
    return reject('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  const { digest, clock } = context.ports;
  const name = `${principal.project}:${digest(`${principal.project}\n${key}`)}`;
  const params = JSON.stringify(Object.entries(facts.params).sort());
  const fingerprint = digest(`${facts.operation}\n${params}\n${digest(facts.body)}`);
  const table = context.store.table('idempotency');

  const entry = table.find('key', name);
  if (entry && clock.now() < entry.expiresAt) {
    if (entry.fingerprint === fingerprint) return { kind: 'replay', entry };
    return reject(
      'idempotency_key_reused',
      'The Idempotency-Key was used for another request. Use a new key.',
      { errors: [] },
    );
  }
  if (entry) table.delete(entry.id);
  if (running.has(name)) {
    return reject('idempotency_in_progress', 'The first request under this key is still running.', {
      retryAfterMs: 1000,
    });
  }
  running.add(name);
  return {
    kind: 'fresh',
    remember: (answer) => put(context, name, fingerprint, answer),
    end: () => running.delete(name),
  };
}

function put(context: Context, key: string, fingerprint: string, answer: RememberedAnswer): void {
  const now = context.ports.clock.now();
  const table = context.store.table('idempotency');
  if (table.count() === 0) context.scheduler.schedule('idempotency.sweep', ALL, now + KEPT_MS);
  const id = newSerialId(context.store, 'idm', 'idempotency');
  const { secret, ...rest } = answer;
  if (secret) context.scheduler.schedule('idempotency.sweep', id, now + SEALED_MS);
  table.put({
    ...rest,
    id,
    key,
    fingerprint,
    ...(secret && { secret: { ...secret, expiresAt: now + SEALED_MS } }),
    expiresAt: now + KEPT_MS,
  });
}

/** The remembered body, its secret put back; 409 once the sealed copy is too old. */
export async function openReplay(
  context: Context,
  { body, secret }: IdempotencyEntry,
  key: string,
): Promise<string | undefined | Rejection> {
  if (!secret || body === undefined) return body;
  const gone = reject(
    'invalid_state',
    'The first answer held a secret that is no longer kept. Make a new one under a new key.',
  );
  if (context.ports.clock.now() >= secret.expiresAt) return gone;
  const opened = await context.ports.unseal(secret.sealed, key);
  if (opened === undefined) return gone;
  return JSON.stringify({ ...JSON.parse(body), [secret.field]: opened });
}

/**
 * The job that forgets: one entry's sealed copy after its hour, or every entry past its day, and the oldest left says
 * when to look again.
 */
export function sweepIdempotency(context: Context, ref: string): Commit {
  const table = context.store.table('idempotency');
  if (ref !== ALL) return () => dropSealed(context, ref);
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

function dropSealed(context: Context, id: string): void {
  const table = context.store.table('idempotency');
  const entry = table.get(id);
  if (entry?.secret) table.put({ ...entry, secret: { ...entry.secret, sealed: '' } });
}
