import type { ServerResponse } from 'node:http';
import type { ClientOptions, Fetch } from 'contentgen';
import * as contentgen from 'contentgen';
import { expect, test } from 'vitest';
import { otel } from '../../../src/otel/index.ts';
import { serve } from '../../support/sockets.ts';
import { completed } from './service.ts';

/** A service on a socket; `closed` counts connections that ended before their response did. */
export async function listen(respond: (response: ServerResponse, attempt: number) => void) {
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

export const json = (response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(completed));

export const clientOf = (baseUrl: string, options: Partial<ClientOptions>) =>
  new contentgen.ContentGen({ baseUrl, apiKey: 'k', maxRetries: 0, logLevel: 'off', ...options });

/** What the client does with the fetch of a library. */
export function foreignFetch(fetch: Fetch): void {
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
}
