import { createMockServer, type MockServerOptions } from '../../mock-server/index.ts';
import {
  type ConformanceOptions,
  type ConformanceReport,
  type ConformanceResult,
  createConformanceReceiver,
  runConformance,
} from '../../src/testing/index.ts';

export type Json = Record<string, unknown>;
export type Next = (request: Request) => Promise<Response>;

export interface World {
  readonly mock?: MockServerOptions;
  /** In front of the server. */
  readonly api?: (request: Request, next: Next) => Promise<Response>;
  /** In front of the receiver. */
  readonly posted?: (request: Request, next: Next, secret: string) => Promise<Response>;
}

/** The reference server on a manual clock, which the clauses move while they wait. */
export async function conform(
  { mock: options, api, posted }: World,
  own: Partial<ConformanceOptions> = {},
  onResult?: (result: ConformanceResult) => void,
) {
  const mock = createMockServer({
    ...{ clock: 'manual', seed: 1, rateLimit: { limit: 100, windowSeconds: 1 } },
    ...options,
  });
  const { now } = mock.clock;
  const clock = { now, sleep: (ms: number) => mock.clock.advance(ms) };
  const receiver = createConformanceReceiver('https://conform.example/callbacks', clock);
  const { handle } = receiver;
  mock.receivers.set(
    receiver.url,
    posted ? (request) => posted(request, handle, mock.signingSecret) : handle,
  );
  const send: Next = (request) => mock.fetch(request);
  const all: ConformanceOptions = {
    ...{ url: mock.baseUrl, apiKey: mock.adminKey, receiver, clock },
    fetch: api ? (request) => api(request, send) : send,
    ...{ allowWrites: true, secret: mock.signingSecret },
    ...own,
  };
  return runConformance(all, onResult);
}

/** What differs from the reference server, with the lines that adapt. */
export function differences({ results }: ConformanceReport) {
  const others = results.filter(({ verdict }) => !/passed|not_observable/.test(verdict));
  return Object.fromEntries(others.map(({ id, verdict, adapt }) => [id, adapt ?? verdict]));
}
