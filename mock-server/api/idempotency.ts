import type { World } from '../domain/context.ts';
import { counters } from '../domain/counters.ts';
import type { IdempotencyEntry } from '../domain/records.ts';
import { type Refusal, refuse } from '../domain/rejection.ts';
import type { Commit } from '../domain/scheduler.ts';
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
  world: World,
  running: RunningCalls,
  principal: Principal,
  key: string,
  facts: CallFacts,
): FreshCall | ReplayedCall | Refusal {
  if (!KEY.test(key)) {
    return refuse('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  const { digest, clock } = world.ports;
  const name = `${principal.project}:${digest(`${principal.project}\n${key}`)}`;
  const params = JSON.stringify(Object.entries(facts.params).sort());
  const fingerprint = digest(`${facts.operation}\n${params}\n${digest(facts.body)}`);
  const table = world.store.table('idempotency');

  const entry = table.find('key', name);
  if (entry && clock.now() < entry.expiresAt) {
    if (entry.fingerprint === fingerprint) return { kind: 'replay', entry };
    return refuse(
      'idempotency_key_reused',
      'The Idempotency-Key was used for another request. Use a new key.',
      { errors: [] },
    );
  }
  if (entry) table.delete(entry.id);
  if (running.has(name)) {
    return refuse('idempotency_in_progress', 'The first request under this key is still running.', {
      retryAfterMs: 1000,
    });
  }
  running.add(name);
  return {
    kind: 'fresh',
    remember: (answer) => put(world, name, fingerprint, answer),
    end: () => running.delete(name),
  };
}

function put(world: World, key: string, fingerprint: string, answer: RememberedAnswer): void {
  const now = world.ports.clock.now();
  const table = world.store.table('idempotency');
  if (table.count() === 0) world.scheduler.schedule('idempotency.sweep', ALL, now + KEPT_MS);
  const number = counters(world.store).next('idempotency');
  const id = `idm_${String(number).padStart(12, '0')}`;
  const { secret, ...rest } = answer;
  if (secret) world.scheduler.schedule('idempotency.sweep', id, now + SEALED_MS);
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
  world: World,
  { body, secret }: IdempotencyEntry,
  key: string,
): Promise<string | undefined | Refusal> {
  if (!secret || body === undefined) return body;
  const gone = refuse(
    'invalid_state',
    'The first answer held a secret that is no longer kept. Make a new one under a new key.',
  );
  if (world.ports.clock.now() >= secret.expiresAt) return gone;
  const opened = await world.ports.unseal(secret.sealed, key);
  if (opened === undefined) return gone;
  return JSON.stringify({ ...JSON.parse(body), [secret.field]: opened });
}

/**
 * The job that forgets: one entry's sealed copy after its hour, or every entry past its day, and the oldest left says
 * when to look again.
 */
export function sweepIdempotency(world: World, ref: string): Commit {
  const table = world.store.table('idempotency');
  if (ref !== ALL) return () => dropSealed(world, ref);
  return () => {
    const now = world.ports.clock.now();
    for (;;) {
      const [oldest] = table.oldest({ limit: 1 });
      if (!oldest) return;
      if (now < oldest.expiresAt) {
        world.scheduler.schedule('idempotency.sweep', ALL, oldest.expiresAt);
        return;
      }
      table.delete(oldest.id);
    }
  };
}

function dropSealed(world: World, id: string): void {
  const table = world.store.table('idempotency');
  const entry = table.get(id);
  if (entry?.secret) table.put({ ...entry, secret: { ...entry.secret, sealed: '' } });
}
