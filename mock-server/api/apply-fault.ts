import type { ProblemCode } from '../contract.ts';
import { onAbort } from '../domain/listeners.ts';
import type { Fault } from '../domain/records.ts';
import { reject } from '../domain/rejection.ts';
import { takeFault } from '../domain/take-fault.ts';
import type { Admission, Call, CallRejection } from './call.ts';
import { cutStream, type Limit, limitBytes, limitEvents } from './cut-stream.ts';
import { isPieces, onePiece, type Pieces } from './pieces.ts';
import type { Reply } from './reply.ts';
import { problemCodes } from './routes.ts';

type Effect = Fault['effect'];

/**
 * Milliseconds between the last bytes and the break: when both arrive at once, callers such as `fetch` discard the
 * bytes that they have not passed on yet.
 */
const BREAK_MS = 20;

const DEFAULT_CODES: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  409: 'invalid_state',
  422: 'validation_failed',
  429: 'rate_limited',
  500: 'internal_error',
};

export function takeOperationFault(
  { service }: Call,
  { permit: { principal, route } }: Admission,
): Effect | undefined {
  const { ports, store } = service.context;
  if (!ports.chooseFault && store.table('faults').count() === 0) return undefined;
  return takeFault(service.context, 'operation', route.operation, principal);
}

export function injectedRejection(effect: Effect): CallRejection | undefined {
  const { status, code, retryAfter } = effect;
  if (typeof status !== 'number') return undefined;
  const declared: Readonly<Record<number, readonly ProblemCode[]>> = problemCodes;
  const [usual = 'unavailable'] = declared[status] ?? [];
  const rejection = reject(
    (code ?? DEFAULT_CODES[status] ?? usual) as ProblemCode,
    'This response was injected by a fault.',
    // Unasked, it would stop a test of an error for as long as the client retries.
    typeof retryAfter === 'number' ? { retryAfterMs: retryAfter * 1000 } : {},
  );
  return { ...rejection, status };
}

/** Waits as long as an injected fault says. The call's idempotency key is held during the wait. */
export function delayByFault(
  { service, lifetime }: Call,
  effect: Effect | undefined,
): Promise<void> | undefined {
  const delay = effect?.['delay'];
  if (typeof delay !== 'number' || delay <= 0) return undefined;
  return service.options.pause(delay, lifetime);
}

/** Damages a reply as the injected fault says. The operation did run. */
export function damageReply(
  call: Call,
  effect: Effect | undefined,
  reply: Reply,
): Reply | Promise<Reply> {
  const { body } = reply;
  if (!effect) return reply;
  if (effect['drop'] === true) {
    cancelStream(body);
    return broken(reply);
  }
  if (effect['loseAnswer'] === true) {
    return isPieces(body) ? loseStream(call, reply, body) : broken(reply);
  }
  if (body === null) return reply;
  if (typeof effect['truncate'] === 'number') {
    const { truncate } = effect;
    if (!isPieces(body) && bytesOf(body).length <= truncate) return reply;
    return cut(call, reply, body, limitBytes(truncate));
  }
  if (effect['cutStream'] !== undefined) {
    if (!isPieces(body)) return reply;
    const { after } = Object(effect['cutStream']);
    return cut(call, reply, body, limitEvents(after));
  }
  if (effect['stall'] === true) {
    const bytesBeforeStall = isPieces(body) ? 1 : bytesOf(body).length >> 1;
    const hold = (gone: AbortSignal) => firstAbort(gone, call.lifetime);
    return { ...reply, body: cutStream(toPieces(body), limitBytes(bytesBeforeStall), hold) };
  }
  return effect['malformed'] === true ? malformed(reply, body) : reply;
}

function broken(reply: Reply): Reply {
  return { ...reply, body: null, broken: true };
}

/** Reads the stream to its end, like a caller that then loses everything; a reset of the service ends it early. */
async function loseStream({ lifetime }: Call, reply: Reply, body: Pieces): Promise<Reply> {
  const stopListening = onAbort(lifetime, body.cancel);
  try {
    while (await body.read());
  } catch {
    // A stream that fails is over as well.
  } finally {
    stopListening();
  }
  return broken(reply);
}

function cut(
  { service, lifetime }: Call,
  reply: Reply,
  body: string | Pieces,
  limit: Limit,
): Reply {
  const { chooseFault, pause } = service.context.ports;
  // In a simulation nothing waits for the wall clock.
  const wait = chooseFault ? pause : service.options.pause;
  const hold = (gone: AbortSignal) => wait(BREAK_MS, gone, lifetime);
  return { ...reply, body: cutStream(toPieces(body), limit, hold) };
}

function firstAbort(...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => void onAbort(signals, resolve));
}

function malformed(reply: Reply, body: NonNullable<Reply['body']>): Reply {
  cancelStream(body);
  const text = typeof body === 'string' ? '{"malformed":' : 'data: {"malformed":\n\n';
  const headers = { ...reply.headers, 'content-length': String(text.length) };
  return { ...reply, body: text, headers };
}

const bytesOf = (body: string): Uint8Array => new TextEncoder().encode(body);

const toPieces = (body: string | Pieces): Pieces =>
  typeof body === 'string' ? onePiece(bytesOf(body)) : body;

/** Has the same effect as a caller that disconnects. */
function cancelStream(body: Reply['body']): void {
  if (isPieces(body)) body.cancel();
}
