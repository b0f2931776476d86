import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type { DecidedCall, Next, ReadCall, RememberedResponse } from './call-context.ts';
import { replayStream } from './event-stream.ts';
import { openRememberedBody, takeKey } from './idempotency-store.ts';
import type { Outcome } from './operations/operation.ts';
import { statusOfCode } from './problem.ts';
import { canonical } from './routes.ts';

const REMEMBERED_REJECTIONS: ReadonlySet<string> = new Set(['not_found', 'invalid_state']);

/**
 * Step: replays the response that is remembered under the call's idempotency key. Without one, the call holds the key
 * from now on; while another call holds it, this one is rejected.
 */
export function checkIdempotency(call: ReadCall): Next<ReadCall> | Promise<Next<ReadCall>> {
  const { request, route, bytes } = call;
  const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
  if (key === null) return call;
  const keyed = { ...call, idempotencyKey: key };
  const facts = { operation: canonical(route.operation), params: route.params, body: bytes };
  const taken = takeKey(call.service, call.principal, key, facts);
  if (isRejection(taken)) return { ...keyed, outcome: taken };
  if (taken.kind === 'held') return { ...keyed, heldKey: taken };
  return remembered(call, key, taken.entry).then((outcome) => ({
    ...keyed,
    headers: { ...call.headers, 'idempotency-replayed': 'true' },
    outcome,
  }));
}

/** Frees the call's key. The key of a stream is freed when the stream ends. */
export function releaseKey({ heldKey, outcome }: DecidedCall): void {
  if (!heldKey) return;
  if (isRejection(outcome) || !outcome.stream) heldKey.release();
  else void outcome.stream.ended.finally(() => heldKey.release());
}

/** Results, and rejections by an operation that ran. Anything else is not remembered: the key can be used again. */
export function toRemembered(outcome: Outcome): RememberedResponse | undefined {
  if (isRejection(outcome)) {
    if (!REMEMBERED_REJECTIONS.has(outcome.code)) return undefined;
    return { status: statusOfCode(outcome.code), body: JSON.stringify(outcome) };
  }
  const { status, body, secret } = outcome;
  if (!body) return { status };
  if (!secret) return { status, body: JSON.stringify(body) };
  const { [secret.field]: _, ...withoutSecret } = body as Record<string, unknown>;
  return { status, body: JSON.stringify(withoutSecret), secret };
}

async function remembered(
  { service: { context } }: ReadCall,
  key: string,
  entry: Parameters<typeof openRememberedBody>[1],
): Promise<Outcome> {
  const { status, stream } = entry;
  if (stream !== undefined) {
    const generation = context.store.table('generations').get(stream);
    if (!generation) throw new Error(`Failed to replay a stream: no generation ${stream}.`);
    return { status, stream: { body: replayStream(generation), ended: Promise.resolve() } };
  }
  const text = await openRememberedBody(context, entry, key);
  if (isRejection(text)) return text;
  if (text === undefined) return { status };
  if (status < 400) return { status, body: JSON.parse(text) as object };
  const { code, detail, ...extras } = JSON.parse(text) as Rejection;
  return reject(code, detail, extras);
}
