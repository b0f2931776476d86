import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { otel } from 'contentgen/otel';
import { createWebhookHandler, PermanentError } from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { exported, setUp, spans, withTracing } from './tracing.ts';

const callbackUrl = 'https://app.example/callbacks';

withTracing();

describe('the span of a callback', () => {
  const receive = (mock: ReturnType<typeof createMockServer>, on: object = {}) => {
    const handler = createWebhookHandler({
      secret: mock.signingSecret,
      on: { generation_completed: () => {}, ...on },
      now: mock.clock.now,
      logger: { warn() {}, error() {} },
      ...otel.receiver(),
    });
    mock.receivers.set(callbackUrl, handler);
  };
  /** A generation in the background, up to its callback. */
  const generate = async ({ mock, client }: ReturnType<typeof setUp>, more = {}, options = {}) => {
    const job = await client.content.start(
      { prompt: 'p', webhookUrl: callbackUrl, ...more },
      options,
    );
    await mock.settle();
    return job;
  };
  const linksOf = (name: string) =>
    spans()
      .filter((span) => span.name === name)
      .map(({ links }) => links.map(({ context: { traceId, spanId } }) => ({ traceId, spanId })));
  const callOf = (name = 'generate_content') => {
    const { traceId, spanId } = (
      spans().find((span) => span.name === name) as ReadableSpan
    ).spanContext();
    return { traceId, spanId };
  };

  test('links to the call that started the generation, through its metadata', async () => {
    const given = setUp();
    receive(given.mock);
    const job = await generate(given, { metadata: { article: '42' } });
    const { traceId, spanId } = callOf();
    expect(await given.seen[0]?.json()).toMatchObject({
      metadata: { article: '42', traceparent: `00-${traceId}-${spanId}-01` },
    });
    expect(linksOf('process generation_completed')).toEqual([[{ traceId, spanId }]]);
    const span = spans().find(({ name }) => name.startsWith('process')) as ReadableSpan;
    expect(span.kind).toBe(SpanKind.CONSUMER);
    expect(span.attributes).toMatchObject({
      'contentgen.event': 'generation_completed',
      'gen_ai.response.id': job.requestId,
      'messaging.message.id': expect.stringMatching(/^msg_/),
    });
  });

  test('links to the call in a deployment with other names for callback and metadata', async () => {
    const deployment = defineDeployment({ fields: { webhookUrl: 'callback', metadata: 'labels' } });
    const mock = createMockServer({ clock: 'manual', seed: 1, deployment });
    const { baseUrl, adminKey: apiKey, fetch } = mock;
    const middleware = [otel()];
    const client = new ContentGen({ baseUrl, apiKey, fetch, deployment, middleware });
    const metadata = { article: '42' };
    const job = await client.content.start({ prompt: 'p', webhookUrl: callbackUrl, metadata });
    const { traceId, spanId } = callOf();
    expect((await client.content.get(job.requestId)).metadata).toEqual({
      ...metadata,
      traceparent: `00-${traceId}-${spanId}-01`,
    });
  });

  const full = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, 'v']));
  test.each([
    ['a key of the caller, whose bytes must not change', {}, { idempotencyKey: 'mine' }],
    ['metadata that is full', { metadata: full }, {}],
    ['metadata: false, which leaves the request as it is', {}, {}, otel({ metadata: false })],
  ])('links inside the process with %s', async (_, request, options, tracing = otel()) => {
    const given = setUp({}, tracing);
    receive(given.mock);
    await generate(given, request, options);
    const body = { prompt: 'p', webhookUrl: callbackUrl, ...request };
    expect(await given.seen[0]?.json()).toEqual(body);
    expect(linksOf('process generation_completed')).toEqual([[callOf()]]);
  });

  test('all attempts of a call send the same bytes', async () => {
    const { mock, client, seen } = setUp();
    mock.faults.add({ operation: 'generateContent', times: 1, effect: { status: 503 } });
    await client.content.start({ prompt: 'p', webhookUrl: callbackUrl });
    const [first, second] = await Promise.all(seen.map((request) => request.text()));
    expect(seen).toHaveLength(2);
    expect(second).toBe(first);
  });

  test('has no link without metadata, or if it holds no trace', async () => {
    // Another seed: its generations have ids that no other test has traced.
    const mock = createMockServer({ clock: 'manual', seed: 2 });
    const untraced = new ContentGen({
      baseUrl: mock.baseUrl,
      apiKey: mock.adminKey,
      fetch: mock.fetch,
    });
    receive(mock);
    for (const traceparent of ['', 'x', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`]) {
      const metadata = { traceparent };
      await untraced.content.start({ prompt: 'p', webhookUrl: callbackUrl, metadata });
    }
    await untraced.content.start({ prompt: 'p', webhookUrl: callbackUrl });
    await mock.settle();
    expect(linksOf('process generation_completed')).toEqual([[], [], [], []]);
  });

  test('is active in the callback, and records its failure but not the message', async () => {
    const { mock, client } = setUp();
    let active: string | undefined;
    receive(mock, {
      generation_completed: () => {
        active = trace.getActiveSpan()?.spanContext().spanId;
        throw new PermanentError('a secret');
      },
    });
    await client.content.start({ prompt: 'p', webhookUrl: callbackUrl });
    await mock.settle();
    const span = spans().find(({ name }) => name.startsWith('process')) as ReadableSpan;
    expect(active).toBe(span.spanContext().spanId);
    expect(span.status.code).toBe(SpanStatusCode.ERROR);
    expect(span.attributes['error.type']).toBe('PermanentError');
    expect(exported()).not.toContain('a secret');
    expect(mock.deliveries()[0]).toMatchObject({ status: 'delivered' });
  });
});
