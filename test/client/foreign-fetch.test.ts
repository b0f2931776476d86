import type { ServerResponse } from 'node:http';
import type { ClientOptions, Fetch } from 'contentgen';
import * as contentgen from 'contentgen';
import nodeFetch from 'node-fetch';
import { fetch as undiciFetch } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { otel } from '../../src/otel/index.ts';
import { serve } from '../support/sockets.ts';
import { completed } from './support/service.ts';

/** A service on a socket; `closed` counts connections that ended before their response did. */
async function listen(respond: (response: ServerResponse, attempt: number) => void) {
  const service = { url: '', seen: [] as string[], closed: 0 };
  service.url = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    service.seen.push(`${request.headers['x-trace'] ?? ''}${body}`);
    response.on('close', () => {
      if (!response.writableFinished) service.closed += 1;
    });
    respond(response, service.seen.length);
  });
  return service;
}

const json = (response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(completed));

const clientOf = (baseUrl: string, options: Partial<ClientOptions>) =>
  new contentgen.ContentGen({ baseUrl, apiKey: 'k', maxRetries: 0, logLevel: 'off', ...options });

describe.each([
  ["undici's fetch", undiciFetch as unknown as Fetch],
  ['node-fetch', nodeFetch as unknown as Fetch],
])('%s', (_, fetch) => {
  test('sends through middleware what middleware made of the request', async () => {
    const { url, seen } = await listen(json);
    const client = clientOf(url, {
      fetch,
      middleware: [
        otel(),
        (request, next) => {
          request.headers.set('x-trace', 'traced: ');
          return next(request);
        },
      ],
    });
    expect((await client.content.generate({ prompt: 'p' })).result).toBe('a haiku');
    const replacing = clientOf(url, {
      fetch,
      middleware: [
        (request, next) => next(new Request(request, { method: 'POST', body: 'replaced' })),
      ],
    });
    await replacing.content.generate({ prompt: 'p' });
    expect(seen).toEqual(['traced:{"prompt":"p"}', 'replaced']);
  });

  test('gets no answer from where a redirect leads', async () => {
    const { url, seen } = await listen((response) =>
      response.writeHead(307, { location: '/elsewhere' }).end('moved'),
    );
    const { error } = await clientOf(url, { fetch }).content.generate({ prompt: 'p' }).safe();
    expect(error).toMatchObject({ code: 'unexpected_redirect', status: 307 });
    expect(seen).toHaveLength(1);
  });
});

test('a stream that node-fetch cannot read is closed, and the error says what can stream', async () => {
  const service = await listen((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
  });
  const client = clientOf(service.url, { fetch: nodeFetch as unknown as Fetch });
  const final = client.content.stream({ prompt: 'p' }).final();
  await expect(final).rejects.toThrow(/cannot stream\. Pass one that can/);
  await vi.waitFor(() => expect(service.closed).toBe(1));
});

test('a call that was aborted closes the connection of node-fetch', async () => {
  const service = await listen((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  });
  const controller = new AbortController();
  const client = clientOf(service.url, { fetch: nodeFetch as unknown as Fetch });
  const call = client.usage.get({ signal: controller.signal }).safe();
  await vi.waitFor(() => expect(service.seen).toHaveLength(1));
  controller.abort();
  expect((await call).error).toMatchObject({ code: 'aborted' });
  await vi.waitFor(() => expect(service.closed).toBe(1));
});

describe('middleware that reads a body', () => {
  test.each([
    ['request', 'request', async (request: Request) => void (await request.text())],
    ['response', 'response', undefined],
  ] as const)('of the %s itself is named, once, and told to clone it', async (_, part, before) => {
    const { url, seen } = await listen(json);
    const client = clientOf(url, {
      maxRetries: 2,
      middleware: [
        async function logBodies(request, next) {
          await before?.(request);
          const response = await next(request);
          if (!before) await response.text();
          return response;
        },
      ],
    });
    const call = client.content.generate({ prompt: 'p' });
    await expect(call).rejects.toThrow(
      new TypeError(
        `middleware[0] (logBodies) read the body of the ${part}. Read ${part}.clone() instead.`,
      ),
    );
    expect(seen.length).toBe(before ? 0 : 1);
  });
});

test("a browser's fetch, which rejects being called as a method, can be passed as it is", async () => {
  let calledOn: unknown = 'nothing';
  const client = clientOf('https://api.example.com', {
    async fetch(this: unknown) {
      calledOn = this;
      return Response.json(completed);
    },
  });
  await client.content.get('gen_1');
  expect(calledOn).toBeUndefined();
});
