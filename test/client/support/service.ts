import type { ClientOptions } from 'contentgen';
import * as contentgen from 'contentgen';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { loopback } from './loopback.ts';
import {
  bodyOf,
  headersOf,
  type Reaction,
  reactor,
  type SeenRequest,
  type Service,
} from './reactor.ts';

export type { Reaction, SeenRequest, Service } from './reactor.ts';

export const transports = ['scripted fetch', 'loopback server'] as const;
export type Transport = (typeof transports)[number];

/** The service of a `describe` block: starts before its tests, closes after them, and forgets its requests before each. */
export function useService(transport: Transport = 'scripted fetch'): Service {
  const service = createService(transport);
  beforeAll(() => service.start());
  afterAll(() => service.close());
  beforeEach(() => {
    service.seen.length = 0;
    service.ended = 0;
  });
  return service;
}

/** A service for one test. It needs no closing. */
export function scriptedService(): Service {
  return createService('scripted fetch');
}

function createService(transport: Transport): Service {
  return transport === 'scripted fetch' ? scripted() : loopback();
}

function scripted(): Service {
  const { script, react } = reactor();
  const seen: SeenRequest[] = [];
  const service: Service = {
    baseUrl: 'https://api.example.com',
    seen,
    ended: 0,
    script,
    start: async () => {},
    close: async () => {},
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      seen.push({
        method: request.method,
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      });
      const reaction = react(seen.at(-1) as SeenRequest);
      // Not the request's own signal, which follows this one weakly and can be garbage-collected.
      const signal = init?.signal ?? request.signal;
      signal.addEventListener('abort', () => {
        service.ended += 1;
      });
      if (reaction.fault === 'disconnect') throw new TypeError('fetch failed');
      if (reaction.fault === 'hang') {
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      }
      const { status = 200, chunks } = reaction;
      const empty = status === 204;
      const body = chunks ? chunked(reaction, signal) : empty ? null : bodyOf(reaction);
      return new Response(body, { status, headers: headersOf(reaction) });
    },
  };
  return service;
}

function chunked(reaction: Reaction, signal: AbortSignal): ReadableStream<Uint8Array> {
  const chunks = [...(reaction.chunks ?? [])];
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
      pull: (controller) => {
        const chunk = chunks.shift();
        if (chunk !== undefined) controller.enqueue(Buffer.from(chunk as string));
        else if (reaction.ending === 'drop') controller.error(new TypeError('terminated'));
        else if (reaction.ending !== 'stall') controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A client of the service. Its retries are recorded in `retries`. */
export function clientOf(service: Service, options: Partial<ClientOptions> = {}) {
  const retries: { delayMs: number; code: string; status?: number }[] = [];
  const client = new contentgen.ContentGen({
    baseUrl: service.baseUrl,
    apiKey: 'cg_test_key',
    fetch: service.fetch,
    logLevel: 'off',
    onRetry: ({ delayMs, code, status }) => {
      retries.push({ delayMs, code, ...(status !== undefined && { status }) });
    },
    ...options,
  });
  return { client, retries };
}

/** A logger, and the lines that were written to it. */
export function recorded() {
  const lines: { level: string; message: string; facts: unknown }[] = [];
  const write = (level: string) => (message: string, facts?: object) =>
    void lines.push({ level, message, facts });
  const logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  return { lines, logger };
}

/** Stops the clock until the test ends. `vi.advanceTimersByTime` moves it. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
}

/** Lets the event loop turn `count` times, so that the network and promises make progress. */
export async function turns(count = 60): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets the network and all promises run until the condition holds; the test's timeout ends the wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turns(1);
}

/** Moves the stopped clock through each announced retry until the promise settles. */
export async function settle<T>(
  promise: Promise<T>,
  retries: readonly { delayMs: number }[],
): Promise<T> {
  let done = false;
  const watched = promise.finally(() => {
    done = true;
  });
  watched.catch(() => {});
  let passed = 0;
  while (!done) {
    await until(() => done || retries.length > passed);
    if (done) break;
    vi.advanceTimersByTime(retries[passed]?.delayMs ?? 0);
    passed += 1;
  }
  return watched;
}

export const completed = {
  requestId: 'gen_1',
  status: 'completed',
  model: 'content-1',
  result: 'a haiku',
  usage: { totalTokens: 3, promptTokens: 1, completionTokens: 2 },
  createdAt: '2026-01-01T00:00:00.000Z',
};

export function problem(status: number, code: string, more: object = {}): Reaction {
  const requestId = `req_${code}`;
  return {
    status,
    headers: { 'content-type': 'application/problem+json', 'x-request-id': requestId },
    json: {
      type: `https://errors.example/${code}`,
      title: 'A title',
      detail: 'free text from the service',
      status,
      code,
      requestId,
      ...more,
    },
  };
}

/** A problem with a `Retry-After`. */
export function later(status: number, code: string, retryAfter: string): Reaction {
  const reaction = problem(status, code);
  return { ...reaction, headers: { ...reaction.headers, 'retry-after': retryAfter } };
}
