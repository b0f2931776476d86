import type { Context } from '../domain/context.ts';
import type { IdempotencyEntry } from '../domain/records.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type { Call, CallOutcome, Headers, OperationResult } from './call.ts';
import { followGeneration } from './event-stream.ts';
import type { Repetition } from './idempotency.ts';
import { lastEventIdOf } from './operations/operation.ts';
import { responseOf } from './serialize.ts';

const REPLAYED: Headers = { 'idempotency-replayed': 'true' };

/** The response to a call that repeats another: the remembered one, or the stream that the other call has begun. */
export async function replay(call: Call, repetition: Repetition): Promise<CallOutcome> {
  const outcome =
    repetition.kind === 'running'
      ? streamOf(call, repetition.generation)
      : await remembered(call, repetition.key, repetition.entry);
  return { ...outcome, headers: REPLAYED };
}

async function remembered(call: Call, key: string, entry: IdempotencyEntry): Promise<CallOutcome> {
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

function streamOf({ service, request }: Call, id: string): OperationResult {
  const { deployment } = service.options;
  const body = followGeneration(service.context, deployment, id, lastEventIdOf(request));
  return { status: 200, stream: { body } };
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
