import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { otel } from 'contentgen/otel';
import { describe, expect, test } from 'vitest';
import {
  eventsOf,
  exported,
  exporter,
  onlySpan,
  setUp,
  spans,
  tracerProvider,
  withTracing,
} from './tracing.ts';

const secretPrompt = 'A haiku about a secret';

withTracing();

describe('the span of a call', () => {
  test('of a generation follows the conventions for generative AI', async () => {
    const { client } = setUp();
    const { requestId, usage } = await client.content.generate({
      prompt: secretPrompt,
      model: 'content-1-mini',
      maxTokens: 50,
      temperature: 0.5,
      seed: 7,
    });
    const span = onlySpan();
    expect(span.name).toBe('generate_content content-1-mini');
    expect(span.kind).toBe(SpanKind.CLIENT);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'server.address': 'api.contentgen.test',
      'server.port': 443,
      'contentgen.operation': 'generateContent',
      'contentgen.request_id': expect.stringMatching(/^req_/),
      'gen_ai.operation.name': 'generate_content',
      'gen_ai.provider.name': 'contentgen',
      'gen_ai.output.type': 'text',
      'gen_ai.request.model': 'content-1-mini',
      'gen_ai.request.max_tokens': 50,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.seed': 7,
      'gen_ai.response.id': requestId,
      'gen_ai.response.model': 'content-1-mini',
      'gen_ai.usage.input_tokens': usage.promptTokens,
      'gen_ai.usage.output_tokens': usage.completionTokens,
    });
    expect(eventsOf(span)).toEqual([
      ['contentgen.attempt', { 'contentgen.attempt': 1, 'http.response.status_code': 200 }],
    ]);
  });

  test('covers all attempts, each an event, and is sent as traceparent with each', async () => {
    const { mock, client, seen } = setUp();
    mock.faults.add({ operation: 'getUsage', times: 1, effect: { status: 503 } });
    await client.usage.get();
    const span = onlySpan();
    expect(span.name).toBe('contentgen getUsage');
    expect(eventsOf(span)).toEqual([
      [
        'contentgen.attempt',
        {
          'contentgen.attempt': 1,
          'http.response.status_code': 503,
          'error.type': 'unavailable',
          'contentgen.retry_delay_ms': expect.any(Number),
        },
      ],
      ['contentgen.attempt', { 'contentgen.attempt': 2, 'http.response.status_code': 200 }],
    ]);
    const { traceId, spanId } = span.spanContext();
    expect(seen.map(({ headers }) => headers.get('traceparent'))).toEqual([
      `00-${traceId}-${spanId}-01`,
      `00-${traceId}-${spanId}-01`,
    ]);
  });

  test('is a child of the active span', async () => {
    const { client } = setUp();
    const tracer = tracerProvider.getTracer('application');
    await tracer.startActiveSpan('request', async (parent) => {
      await client.usage.get();
      parent.end();
    });
    const [usage, parent] = spans();
    expect(usage?.parentSpanContext?.spanId).toBe(parent?.spanContext().spanId);
  });

  test('is active while the attempt is sent, for other instrumentation', async () => {
    let active: string | undefined;
    const inner = async (request: Request, next: (request: Request) => Promise<Response>) => {
      active = trace.getActiveSpan()?.spanContext().spanId;
      return next(request);
    };
    const { client } = setUp({ middleware: [otel(), inner] });
    await client.usage.get();
    expect(active).toBe(onlySpan().spanContext().spanId);
  });

  test("has the error's code and a message that is safe to store", async () => {
    const { client } = setUp();
    const { error } = await client.content
      .generate({ prompt: secretPrompt, model: 'no-such' })
      .safe();
    const { status, attributes } = onlySpan();
    expect(error?.message).toContain('The service says:');
    expect(status).toEqual({ code: SpanStatusCode.ERROR, message: error?.toJSON()['message'] });
    expect(status.message).not.toContain('The service says:');
    expect(attributes).toMatchObject({
      'error.type': 'model_not_found',
      'http.response.status_code': 422,
    });
  });

  test('ends with what a middleware throws', async () => {
    const inner = () => Promise.reject(new RangeError('a secret'));
    const { client } = setUp({ middleware: [otel(), inner] });
    await expect(client.usage.get()).rejects.toThrow(RangeError);
    const { status, attributes } = onlySpan();
    expect(status).toEqual({ code: SpanStatusCode.ERROR });
    expect(attributes['error.type']).toBe('RangeError');
  });

  test('of a stream ends with the stream, with its tokens', async () => {
    const { client } = setUp();
    const stream = client.content.stream({ prompt: secretPrompt });
    const pieces: string[] = [];
    for await (const piece of stream) {
      expect(spans()).toHaveLength(0);
      pieces.push(piece);
    }
    const { requestId, usage } = await stream.final();
    expect(onlySpan().attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.response.id': requestId,
      'gen_ai.usage.output_tokens': usage.completionTokens,
    });
  });

  test('of a broken stream has the failed attempt; of one that the caller leaves, no error', async () => {
    const { mock, client } = setUp();
    mock.faults.add({ operation: 'generateContent', times: 1, effect: { truncate: 200 } });
    const once = { maxRetries: 0 };
    const stream = client.content.stream({ prompt: 'p'.repeat(400) }, once);
    await expect(stream.final()).rejects.toThrow();
    const broken = onlySpan();
    expect(broken.status.code).toBe(SpanStatusCode.ERROR);
    expect(eventsOf(broken)).toEqual([
      ['contentgen.attempt', expect.objectContaining({ 'error.type': 'stream_interrupted' })],
    ]);
    exporter.reset();
    for await (const _ of client.content.stream({ prompt: 'p' })) break;
    // Leaving cancels the generation, which is a call of its own.
    const left = spans().find(({ attributes }) => attributes['gen_ai.request.stream'] === true);
    expect(left?.status.code).toBe(SpanStatusCode.UNSET);
    expect(left?.attributes['error.type']).toBe('aborted');
  });

  test('of each connection that a stream resumed by ends, broken or whole', async () => {
    const { mock, client } = setUp();
    mock.faults.add({ operation: '*', times: 2, effect: { cutStream: { after: 1 } } });
    await client.content.stream({ prompt: 'p' }).final();
    expect(spans().map(({ attributes }) => attributes['error.type'])).toEqual([
      'stream_interrupted',
      undefined,
      undefined,
    ]);
  });

  test('never has a prompt, result, credential or idempotency key', async () => {
    const { mock, client } = setUp();
    const { data, idempotencyKey } = await client.content
      .generate({ prompt: secretPrompt, metadata: { customer: 'a secret' } })
      .withResponse();
    for (const secret of [secretPrompt, data.result, mock.adminKey, idempotencyKey, 'a secret']) {
      expect(exported()).not.toContain(secret);
    }
  });

  test('goes to the given provider', async () => {
    const own = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(own)] });
    const { client } = setUp({}, otel({ tracerProvider: provider }));
    await client.usage.get();
    expect(own.getFinishedSpans()).toHaveLength(1);
    expect(spans()).toHaveLength(0);
  });

  test.each([{ tracerProvider: {} }, { tracer: 1 }, { metadata: 'yes' }])(
    '%j is rejected',
    (options) => {
      expect(() => otel(options as never)).toThrow(TypeError);
    },
  );
});
