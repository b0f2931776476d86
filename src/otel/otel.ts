import {
  context,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { version } from '../generated/version.ts';
import { checkOptions } from '../options/check-options.ts';
import { flag, objectWith } from '../options/rules.ts';
import type { CallStart, Middleware } from '../options.ts';
import type { WebhookMiddleware } from '../webhooks/handler-options.ts';
import { nameOf } from './attributes.ts';
import { CallSpan } from './call-span.ts';
import { requestedBy } from './trace-parent.ts';

/** Options of `otel.receiver`. */
export interface OtelReceiverOptions {
  /** Creates the spans. @default the global provider, looked up for each span */
  readonly tracerProvider?: TracerProvider | undefined;
}

/** Options of `otel`. */
export interface OtelOptions extends OtelReceiverOptions {
  /**
   * Adds `traceparent` to the `metadata` of a generation with a `webhookUrl`, so that any process that receives its
   * callback can link to the call. Left out when the metadata is full (16 pairs) and when the call has your own
   * `idempotencyKey`. With `false`, only callbacks that arrive in the same process are linked.
   * @default true
   */
  readonly metadata?: boolean | undefined;
}

/** Creates middleware for a client; `otel.receiver()` creates it for a webhook handler. */
export interface Otel {
  /**
   * Traces the client: one span per call, with an event for each attempt; `traceparent` is sent along. Spans of
   * generations follow OpenTelemetry's conventions for generative AI, and include the whole stream. Prompts, results,
   * credentials and idempotency keys are never recorded. Pass it as the first middleware.
   * @throws TypeError for a wrong or unknown option
   * @example
   * ```ts
   * import { ContentGen } from 'contentgen';
   * import { otel } from 'contentgen/otel';
   *
   * const client = new ContentGen({ middleware: [otel()] });
   * ```
   */
  (options?: OtelOptions): Middleware;
  /**
   * Traces the callbacks of a webhook handler: one span per event that has a callback. The span of a result callback
   * links to the call that started the generation, even if another process made it.
   * @throws TypeError for a wrong or unknown option
   * @example
   * ```ts
   * import { otel } from 'contentgen/otel';
   * import { createWebhookHandler } from 'contentgen/webhooks';
   *
   * createWebhookHandler({
   *   secret: process.env.CONTENTGEN_WEBHOOK_SECRET!,
   *   on: { generation_completed: (event) => console.log(event.payload.result) },
   *   ...otel.receiver(),
   * });
   * ```
   */
  receiver(options?: OtelReceiverOptions): {
    /** Spread it into the options of `createWebhookHandler`. */
    middleware: WebhookMiddleware[];
  };
}

/** OpenTelemetry for the client and for webhook handlers. Needs `@opentelemetry/api`. */
export const otel: Otel = Object.assign(traceClient, { receiver: traceReceiver });

const receiverRules = { tracerProvider: objectWith(['getTracer']) };

function traceClient(options: OtelOptions = {}): Middleware {
  const { metadata = true } = checkOptions(options, { ...receiverRules, metadata: flag });
  const spans = new WeakMap<CallStart, CallSpan>();
  const middleware: Middleware = (request, next, { call, attempt }) =>
    spans.get(call)?.attempt(request, next, attempt) ?? next(request);
  const onCall: Middleware['onCall'] = (call) => {
    const span = new CallSpan(tracerOf(options), call, metadata);
    spans.set(call, span);
    return (end) => span.end(end);
  };
  return Object.assign(middleware, { onCall });
}

function traceReceiver(options: OtelReceiverOptions = {}): { middleware: WebhookMiddleware[] } {
  checkOptions(options, receiverRules);
  const middleware: WebhookMiddleware = async (event, next) => {
    const origin = requestedBy(event.payload);
    const links: Link[] = origin ? [{ context: origin }] : [];
    const { requestId } = Object(event.payload) as { requestId?: unknown };
    const attributes = {
      'messaging.system': 'contentgen',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'process',
      'messaging.message.id': event.id,
      'contentgen.event': event.type,
      ...(typeof requestId === 'string' && { 'gen_ai.response.id': requestId }),
    };
    const span = tracerOf(options).startSpan(`process ${event.type}`, {
      kind: SpanKind.CONSUMER,
      attributes,
      links,
    });
    await runInside(span, next);
  };
  return { middleware: [middleware] };
}

async function runInside(span: Span, run: () => Promise<void>): Promise<void> {
  try {
    await context.with(trace.setSpan(context.active(), span), run);
  } catch (error) {
    span.setAttribute('error.type', nameOf(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

const tracerOf = ({ tracerProvider }: OtelReceiverOptions): Tracer =>
  (tracerProvider ?? trace).getTracer('contentgen', version);
