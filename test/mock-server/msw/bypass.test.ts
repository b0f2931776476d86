import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { http as http2 } from 'msw-2';
import { setupServer as setupServer2 } from 'msw-2/node';
import { afterEach, expect, test } from 'vitest';
import { createOutbound } from '../../../mock-server/outbound/transport.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function receiver() {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end('received');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, requests: () => requests };
}

const libraries = [
  ['msw 3', setupServer(http.all('*/caught', () => Response.error()))],
  ['msw 2', setupServer2(http2.all('*/caught', () => Response.error() as never))],
] as const;

test.each(libraries)(
  'deliveries bypass %s even if it rejects every unhandled request',
  async (_, server) => {
    const { url, requests } = await receiver();
    server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as object);
    cleanups.push(() => server.close());
    const outbound = createOutbound();
    cleanups.push(() => outbound.close());
    const { signal } = new AbortController();
    const request = {
      url,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{}'),
    };

    expect(await outbound.send(request, { signal })).toMatchObject({
      status: 200,
      snippet: 'received',
    });
    expect(
      await outbound.send({ ...request, url: url.replace('/hook', '/caught') }, { signal }),
    ).toMatchObject({
      status: 200,
    });
    expect(requests()).toBe(2);
    // Proves that interception is on: the application's own call is rejected.
    await expect(fetch(url)).rejects.toThrow();
    expect(requests()).toBe(2);
  },
);
