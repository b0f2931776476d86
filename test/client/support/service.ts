import type { ClientOptions, Fetch } from 'contentgen';
import * as contentgen from 'contentgen';
import { beforeEach, vi } from 'vitest';

/** How the service reacts to one request. */
export interface Reaction {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  /** Chunks of a body, each sent once the previous one has been read; then `ending`. */
  chunks?: readonly (string | Uint8Array)[];
  /** What follows the chunks: the end of the body, a lost connection or silence. */
  ending?: 'end' | 'drop' | 'stall';
  /** Instead of a response. */
  fault?: 'disconnect' | 'hang';
}

export interface SeenRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export type Service = ReturnType<typeof scriptedService>;

/** The service of a `describe` block, which forgets its requests before each test. */
export function useService(): Service {
  const service = scriptedService();
  beforeEach(() => {
    service.seen.length = 0;
    service.ended = 0;
  });
  return service;
}

/** A service that reacts as a test says. */
export function scriptedService() {
  type Next = Reaction | ((request: SeenRequest) => Reaction);
  let reactions: readonly Next[] = [];
  let next = 0;
  const service = {
    baseUrl: 'https://api.example.com',
    /** The requests so far. */
    seen: [] as SeenRequest[],
    /** How many requests the client aborted. */
    ended: 0,
    /** Sets the reactions, in order; the last one repeats. */
    script(...list: readonly Next[]) {
      reactions = list;
      next = 0;
    },
    fetch: (async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const seen = {
        method: request.method,
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      };
      service.seen.push(seen);
      const given = reactions[Math.min(next, reactions.length - 1)];
      next += 1;
      if (!given) throw new Error('nothing scripted');
      const reaction = typeof given === 'function' ? given(seen) : given;
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
      return respond(reaction, signal);
    }) as Fetch,
  };
  return service;
}

function respond(reaction: Reaction, signal: AbortSignal): Response {
  const { status = 200, headers, chunks, json, text = '' } = reaction;
  const body = chunks
    ? chunked(reaction, signal)
    : json === undefined
      ? text
      : JSON.stringify(json);
  return new Response(status === 204 ? null : body, {
    status,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
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
