import type { Context } from '../domain/context.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import { replayStream } from './event-stream.ts';
import type { Trace } from './handle-request.ts';
import {
  beginIdempotent,
  type FreshCall,
  openReplay,
  type RememberedAnswer,
  type RunningCalls,
} from './idempotency.ts';
import type { Answer, CallContext, Handler } from './operations/answer.ts';
import { handlers } from './operations/index.ts';
import { statusOfCode } from './problem.ts';
import { parseBody, readBody } from './read-body.ts';
import { contractEvent, contractFields, deploymentPointers } from './rename-fields.ts';
import { jsonReply, type Reply } from './reply.ts';
import { canonical, type OperationDetails, operationDetails, type Route } from './routes.ts';
import { validateBody } from './validate.ts';
import { validateQuery } from './validate-query.ts';

export interface Environment {
  readonly context: Context;
  readonly running: RunningCalls;
  readonly lifetime: AbortSignal;
  readonly webhookUrlField: string;
  /** What a fault holds the operation back by; its idempotency key is running meanwhile. */
  hold(): Promise<void> | undefined;
}

/** What the operation said, and how to make a reply of it. */
export interface Done {
  readonly answer: Answer | Rejection;
  readonly headers: Readonly<Record<string, string>>;
  reply(headers: Readonly<Record<string, string>>): Reply;
}

const NO_BYTES = new Uint8Array();
const REMEMBERED_REFUSALS: ReadonlySet<string> = new Set(['not_found', 'invalid_state']);

function streamReply(body: ReadableStream<Uint8Array>, headers: Record<string, string>): Reply {
  const more = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  return { status: 200, headers: { ...headers, ...more }, body };
}

function done(answer: Answer | Rejection, headers: Record<string, string> = {}): Done {
  return {
    answer,
    headers,
    reply(all) {
      if (isRejection(answer)) throw new TypeError('A refusal has no reply of its own.');
      const { status, body, stream } = answer;
      if (stream) return streamReply(stream.body, all);
      return body === undefined
        ? { status, headers: all, body: null }
        : jsonReply(status, body, all);
    },
  };
}

/** 2xx, and refusals of an operation that ran, without their secrets; anything else leaves the key free. */
function toRemember(answer: Answer | Rejection): RememberedAnswer | undefined {
  if (isRejection(answer)) {
    if (!REMEMBERED_REFUSALS.has(answer.code)) return undefined;
    return { status: statusOfCode(answer.code), body: JSON.stringify(answer) };
  }
  const { status, body, secret } = answer;
  if (!secret || !body) {
    return { status, ...(body && { body: JSON.stringify(body) }) };
  }
  const { [secret.field]: _, ...shown } = body as Record<string, unknown>;
  return { status, body: JSON.stringify(shown), secret };
}

async function replay(
  context: Context,
  entry: Parameters<typeof openReplay>[1],
  key: string,
): Promise<Done> {
  const headers = { 'idempotency-replayed': 'true' };
  const { status, stream } = entry;
  if (stream !== undefined) {
    const generation = context.store.table('generations').get(stream);
    if (!generation) throw new Error(`Failed to replay a stream: no generation ${stream}.`);
    const body = replayStream(generation);
    return done({ status, stream: { body, ended: Promise.resolve() } }, headers);
  }
  const text = await openReplay(context, entry, key);
  if (isRejection(text)) return done(text, headers);
  if (text === undefined) return done({ status }, headers);
  if (status >= 400) {
    const { code, detail, ...extras } = JSON.parse(text) as Rejection;
    return done(reject(code, detail, extras), headers);
  }
  return done({ status, body: JSON.parse(text) as object }, headers);
}

const hasBody = ({ method }: Request): boolean => method === 'POST' || method === 'PATCH';

/** Reads the body, decides what the idempotency key means, validates, and runs the operation. */
export async function runOperation(
  request: Request,
  url: URL,
  route: Route,
  trace: Trace,
  environment: Environment,
): Promise<Done> {
  const { context, running } = environment;
  const details: OperationDetails = operationDetails[route.operation];
  const bytes = hasBody(request)
    ? await readBody(request, details.bodyRequired === true)
    : NO_BYTES;
  if (isRejection(bytes)) return done(bytes);

  const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
  if (key === null || !trace.principal) {
    return done(await perform(request, url, route, trace, environment, bytes));
  }
  trace.idempotencyKey = key;
  const facts = { operation: canonical(route.operation), params: route.params, body: bytes };
  const call = beginIdempotent(context, running, trace.principal, key, facts);
  if (isRejection(call)) return done(call);
  if (call.kind === 'replay') return replay(context, call.entry, key);
  let streaming = false;
  try {
    const answer = await perform(request, url, route, trace, environment, bytes, call);
    if (!isRejection(answer) && answer.stream) {
      streaming = true;
      void answer.stream.ended.finally(() => call.end());
    }
    return done(answer);
  } finally {
    if (!streaming) call.end();
  }
}

async function perform(
  request: Request,
  url: URL,
  route: Route,
  trace: Trace,
  environment: Environment,
  bytes: Uint8Array,
  fresh?: FreshCall,
): Promise<Answer | Rejection> {
  const { context, lifetime } = environment;
  const { principal, idempotencyKey } = trace;
  if (!principal) throw new TypeError('An operation needs a principal.');
  await environment.hold();
  const details: OperationDetails = operationDetails[route.operation];
  // A deployment may call it `url`, which is another thing in a registration.
  const takesCallback = details.body === 'GenerateRequest';
  const callbackField = takesCallback ? environment.webhookUrlField : 'webhookUrl';
  const query = validateQuery(details, url.searchParams);
  const declared = hasBody(request) && request.headers.has('content-type');
  const parsed = parseBody(bytes, declared);
  if (isRejection(parsed)) return parsed;
  trace.body = parsed.json;
  trace.bytes = bytes.byteLength;
  if (isRejection(query)) return query;
  const named = contractFields(parsed, callbackField);
  if (isRejection(named)) return named;
  const body = validateBody(details, contractEvent(named.json, context.settings.eventNames));
  if (isRejection(body)) return deploymentPointers(body, callbackField);

  const callContext: CallContext = {
    context,
    principal,
    webhookUrlField: environment.webhookUrlField,
    write(work) {
      lifetime.throwIfAborted();
      return context.store.transaction(work);
    },
    commit: (work) =>
      callContext.write(() => {
        const answer = work();
        const memory = fresh && toRemember(answer);
        if (memory) fresh.remember(memory);
        return answer;
      }),
    rememberStream(generation) {
      fresh?.remember({ status: 200, stream: generation.id });
    },
  };
  const handler = handlers[route.operation] as Handler;
  const call = { params: route.params, query, body };
  const given = idempotencyKey === undefined ? call : { ...call, idempotencyKey };
  const answer = await handler(given, callContext);
  return deploymentPointers(answer, callbackField);
}
