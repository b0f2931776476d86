import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';
import { parseJson } from '../options/values.ts';
import type { CallStart } from '../options.ts';

/** The metadata key for the trace of the call that started a generation; the callback echoes it. */
const KEY = 'traceparent';

const MAX_METADATA = 16;

const MAX_REMEMBERED = 10_000;

/** The call that started each generation, for callbacks to this process whose metadata has no trace. */
const remembered = new Map<string, SpanContext>();

export function remember(requestId: string, span: SpanContext): void {
  remembered.set(requestId, span);
  if (remembered.size <= MAX_REMEMBERED) return;
  const [oldest] = remembered.keys();
  remembered.delete(oldest as string);
}

export function requestedBy(payload: unknown): SpanContext | undefined {
  const { requestId, metadata } = Object(payload) as { requestId?: unknown; metadata?: unknown };
  return (
    parse((Object(metadata) as Record<string, unknown>)[KEY]) ?? remembered.get(`${requestId}`)
  );
}

/**
 * The request body with the span in its metadata; `undefined` if it asks for no callback, or if its metadata is full or
 * already has a trace.
 */
export function withTraceParent(
  body: string,
  fields: CallStart['fields'],
  span: SpanContext,
): string | undefined {
  const request: Record<string, unknown> = Object(parseJson(body ?? ''));
  if (typeof request[fields.webhookUrl] !== 'string') return undefined;
  const { [fields.metadata]: metadata = {} } = request;
  if (typeof metadata !== 'object' || metadata === null || KEY in metadata) return undefined;
  if (Object.keys(metadata).length >= MAX_METADATA) return undefined;
  return JSON.stringify({ ...request, [fields.metadata]: { ...metadata, [KEY]: format(span) } });
}

/** W3C Trace Context, section 3.2. */
function format({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function parse(value: unknown): SpanContext | undefined {
  if (typeof value !== 'string') return undefined;
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(value) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}
