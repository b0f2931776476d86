import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { isContentGenError } from '../errors.ts';
import type { CallEnd, CallStart } from '../options.ts';
import { describeCall, describeEnd } from './attributes.ts';
import { remember, withTraceParent } from './trace-parent.ts';

export class CallSpan {
  readonly #call: CallStart;
  readonly #span: Span;
  readonly #context: Context;
  readonly #startedAt: number[] = [];
  readonly #body: string | undefined;

  constructor(tracer: Tracer, call: CallStart, useMetadata: boolean) {
    const parent = context.active();
    const { name, attributes } = describeCall(call);
    this.#call = call;
    this.#span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    this.#context = trace.setSpan(parent, this.#span);
    // A call that reuses the caller's own key, in another trace, must send the same bytes, so its body stays as it is.
    if (useMetadata && call.isKeyGenerated && call.operation === 'generateContent') {
      this.#body = withTraceParent(call.body ?? '', call.fields, this.#span.spanContext());
    }
  }

  attempt(
    request: Request,
    next: (request: Request) => Promise<Response>,
    attempt: number,
  ): Promise<Response> {
    this.#startedAt[attempt] = Date.now();
    const sent = this.#body === undefined ? request : new Request(request, { body: this.#body });
    propagation.inject(this.#context, sent.headers, {
      set: (headers, name, value) => headers.set(name, value),
    });
    return context.with(this.#context, () => next(sent));
  }

  end(end: CallEnd): void {
    const span = this.#span;
    this.#addAttempts(end);
    span.setAttributes(describeEnd(this.#call, end));
    const { error } = end;
    const { code } = Object(error) as { code?: unknown };
    // Leaving a stream, or aborting a call, is the caller's decision, not a failure.
    if (error !== undefined && code !== 'aborted') {
      // Without the service's own words, which can quote the request.
      const message = isContentGenError(error) ? { message: `${error.toJSON()['message']}` } : {};
      span.setStatus({ code: SpanStatusCode.ERROR, ...message });
    }
    const { status, requestId } = Object(end.body) as Record<string, unknown>;
    if (status === 'processing' && typeof requestId === 'string') {
      if (this.#call.operation === 'generateContent') remember(requestId, span.spanContext());
    }
    span.end();
  }

  /** One event for each attempt, at the time when it started. */
  #addAttempts({ attempts, response }: CallEnd): void {
    attempts.forEach(({ code, status, delayMs }, index) => {
      this.#addAttempt(index + 1, {
        'error.type': code,
        ...(status !== undefined && { 'http.response.status_code': status }),
        'contentgen.retry_delay_ms': delayMs,
      });
    });
    if (response && attempts.length + 1 in this.#startedAt) {
      const attributes = { 'http.response.status_code': response.status };
      this.#addAttempt(attempts.length + 1, attributes);
    }
  }

  #addAttempt(attempt: number, attributes: Record<string, string | number>): void {
    const startedAt = this.#startedAt[attempt];
    this.#span.addEvent(
      'contentgen.attempt',
      { 'contentgen.attempt': attempt, ...attributes },
      startedAt,
    );
  }
}
