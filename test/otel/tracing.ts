import { context, propagation, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { otel } from 'contentgen/otel';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';

export const exporter = new InMemorySpanExporter();
export const tracerProvider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
/** Registers a real SDK with an exporter in memory for the tests of a file. */
export function withTracing(): void {
  beforeAll(() => {
    tracerProvider.register();
  });
  afterAll(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });
  beforeEach(() => exporter.reset());
}

/** A traced client of a reference server, and the requests it sends. */
export function setUp(options: object = {}, tracing = otel()) {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const seen: Request[] = [];
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch: (input, init) => {
      const request = new Request(input, init);
      seen.push(request.clone());
      return mock.fetch(request);
    },
    middleware: [tracing],
    logLevel: 'off',
    ...options,
  });
  return { mock, client, seen };
}

export const spans = () => exporter.getFinishedSpans();
export const onlySpan = (): ReadableSpan => {
  expect(spans()).toHaveLength(1);
  return spans()[0] as ReadableSpan;
};
export const eventsOf = (span: ReadableSpan) =>
  span.events.map(({ name, attributes }) => [name, attributes]);
export const exported = () =>
  JSON.stringify(
    spans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
