import { http } from 'msw';
import { setupServer } from 'msw/node';
import { http as http2 } from 'msw-2';
import { setupServer as setupServer2 } from 'msw-2/node';
import { expect, test } from 'vitest';
import { closeAfterwards, serve } from '../../support/sockets.ts';
import { sender } from '../outbound/sender.ts';

const libraries = [
  ['msw 3', setupServer(http.all('*/caught', () => Response.error()))],
  ['msw 2', setupServer2(http2.all('*/caught', () => Response.error() as never))],
] as const;

test.each(libraries)(
  'deliveries bypass %s even if it rejects every unhandled request',
  async (_, server) => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.end('received');
    });
    server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as object);
    closeAfterwards(() => server.close());
    const send = sender();
    const received = { status: 200, snippet: 'received' };
    expect(await send(`${url}/hook`)).toMatchObject(received);
    expect(await send(`${url}/caught`)).toMatchObject(received);
    expect(requests).toBe(2);
    // Proves that interception is on: the application's own call is rejected.
    await expect(fetch(url)).rejects.toThrow();
    expect(requests).toBe(2);
  },
);
