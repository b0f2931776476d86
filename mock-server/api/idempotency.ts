import type { Context } from '../domain/context.ts';
import { newSerialId } from '../domain/ids.ts';
import type { Commit } from '../domain/job-runner.ts';
import type { IdempotencyEntry } from '../domain/records.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type {
  At,
  DecidedCall,
  HeldKey,
  Next,
  Principal,
  ReadCall,
  RememberedResponse,
  RunningKey,
  Service,
} from './call-context.ts';
import { followGeneration } from './event-stream.ts';
import type { Outcome } from './operations/operation.ts';
import { statusOfCode } from './problem.ts';
import { canonical } from './routes.ts';
import { responseOf } from './serialize.ts';

const REMEMBERED_REJECTIONS: ReadonlySet<string> = new Set(['not_found', 'invalid_state']);

/**
 * Step: replays the response remembered under the call's idempotency key. Otherwise the call takes the key, or is
 * rejected if another call holds it.
 */
export function checkIdempotency(
  call: At<'body read', ReadCall>,
): Next<At<'key held', ReadCall>> | Promise<Next<At<'key held', ReadCall>>> {
  const { request, route, bytes } = call;
  const { idempotency = 'idempotency-key' } = call.service.options.deployment ?? {};
  const isKeyed = request.method === 'POST' && typeof idempotency === 'string';
  const key = isKeyed ? request.headers.get(idempotency) : null;
  if (key === null) return { ...call, stage: 'key held' };
  const keyed = { ...call, stage: 'key held', idempotencyKey: key } as const;
  const facts = { operation: canonical(route.operation), params: route.params, body: bytes };
  const taken = takeKey(call.service, call.principal, key, facts);
  if (isRejection(taken)) return { ...keyed, outcome: taken };
  if (taken.kind === 'held') return { ...keyed, heldKey: taken };
  const headers = { ...call.headers, 'idempotency-replayed': 'true' };
  if (taken.kind === 'running') {
    return { ...keyed, headers, outcome: streamOf(call, taken.generation) };
  }
  return remembered(call, key, taken.entry).then((outcome) => ({ ...keyed, headers, outcome }));
}

/** Frees the call's key. The key of a stream is freed when the stream ends. */
export function releaseKey({ heldKey, outcome }: DecidedCall): void {
  if (!heldKey) return;
  if (isRejection(outcome) || !outcome.stream) heldKey.release();
  else if (outcome.stream.ended) void outcome.stream.ended.finally(() => heldKey.release());
}

/** What to remember: results, and rejections by an operation that ran. After anything else, the key can be used again. */
export function toRemembered(outcome: Outcome): RememberedResponse | undefined {
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

/** What the caller has not received yet of a stream that an earlier call has begun. */
function streamOf({ service: { context, options }, request }: ReadCall, id: string): Outcome {
  const { deployment = {} } = options;
  return {
    status: 200,
    stream: { body: followGeneration(context, deployment, id, lastEventIdOf(request)) },
  };
}

/** The number of the last event that the caller has received; 0 for the beginning. */
export function lastEventIdOf({ headers }: Request): number {
  const id = headers.get('last-event-id') ?? '';
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

async function remembered(
  call: ReadCall,
  key: string,
  entry: Parameters<typeof openRememberedBody>[1],
): Promise<Outcome> {
  const { context } = call.service;
  const { status } = entry;
  if (entry.generation !== undefined) {
    const generation = context.store.table('generations').get(entry.generation);
    if (!generation) {
      return reject(
        'invalid_state',
        'The generation of the first call is no longer stored. Repeat the call with a new Idempotency-Key.',
      );
    }
    if (generation.delivery !== 'stream') return responseOf(generation);
    return streamOf(call, generation.id);
  }
  const text = await openRememberedBody(context, entry, key);
  if (isRejection(text)) return text;
  if (text === undefined) return { status };
  if (status < 400) return { status, body: JSON.parse(text) as object };
  const { code, detail, ...extras } = JSON.parse(text) as Rejection;
  return reject(code, detail, extras);
}

const KEPT_MS = 24 * 60 * 60 * 1000;
const SEALED_MS = 60 * 60 * 1000;
/** Reference of the job that sweeps all entries; other jobs refer to one entry. */
const ALL = 'idempotency';
const KEY = /^[\x21-\x7e]{1,255}$/;

export interface CallFacts {
  /** The operation itself, not an alias. With the path parameters, it is the scope of the key. */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  /** Must be the same in two calls with the same key. */
  readonly body: Uint8Array;
}

export type TakenKey =
  | ({ readonly kind: 'held' } & HeldKey)
  | { readonly kind: 'running'; readonly generation: string }
  | { readonly kind: 'replay'; readonly entry: IdempotencyEntry };

/** Takes the key for this call, or finds the response that is remembered under it. */
function takeKey(
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
  const isReused = (before: { readonly fingerprint: string }) => before.fingerprint !== fingerprint;
  const reused = () =>
    reject(
      'idempotency_key_reused',
      'This Idempotency-Key was used with a different body. Use a new key for each logical call.',
      { errors: [] },
    );
  if (entry && clock.now() < entry.expiresAt) {
    return isReused(entry) ? reused() : { kind: 'replay', entry };
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
  return {
    kind: 'held',
    streaming: (generation) => {
      holder.generation = generation;
    },
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
async function openRememberedBody(
  context: Context,
  { body, secret }: IdempotencyEntry,
  key: string,
): Promise<string | undefined | Rejection> {
  if (!secret || body === undefined) return body;
  const gone = reject(
    'invalid_state',
    'The first response contained a secret, which is kept for only one hour. Repeat the call with a new Idempotency-Key.',
  );
  if (context.ports.clock.now() >= secret.expiresAt) return gone;
  const opened = await context.ports.unseal(secret.sealed, key);
  if (opened === undefined) return gone;
  return JSON.stringify({ ...JSON.parse(body), [secret.field]: opened });
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
