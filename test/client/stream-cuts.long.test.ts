import { connect, createServer, type Socket } from 'node:net';
import { serve } from 'contentgen/mock/http';
import { nodeFetch } from 'contentgen/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ended, read, setUp, whole } from './support/streaming.ts';

const { random } = Math;
// Retries then wait no time.
beforeEach(() => {
  Math.random = () => 0;
});
afterEach(() => {
  Math.random = random;
});

/** How many positions are tried: 200 take half a minute. */
const positions = Number(process.env['CONTENTGEN_CUTS'] ?? 20);

/** Passes bytes on between the client and a port; of the first response, only `limit`, and then nothing or a reset. */
async function cutter(port: number, limit: number, how: 'reset' | 'silence') {
  const sockets = new Set<Socket>();
  let left: number | undefined = limit;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    const own = left;
    left = undefined;
    let passed = 0;
    near.on('data', (bytes) => void far.write(bytes));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.on('data', (bytes: Buffer) => {
      if (own === undefined) return near.write(bytes);
      const kept = bytes.subarray(0, Math.max(0, own - passed));
      passed += bytes.length;
      near.write(kept);
      if (passed > own && how === 'reset') near.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as { port: number };
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${own}`, close };
}

test.each([
  ['fetch', 'reset'],
  ['fetch', 'silence'],
  ['nodeFetch', 'reset'],
  ['nodeFetch', 'silence'],
] as const)(
  'over a socket and %s, a stream that ends anywhere in a %s is read whole and billed once',
  async (door, how) => {
    let cuts = 0;
    for (let index = 0; index < positions; index += 1) {
      const { mock } = setUp();
      const served = await serve(mock, { port: 0, dashboard: false });
      // From the first byte of the head to behind the end event.
      const limit = Math.round((index * 2000) / positions);
      const proxy = await cutter(Number(new URL(served.url).port), limit, how);
      const transport = door === 'nodeFetch' ? nodeFetch({ proxy: false }) : undefined;
      const { client, retries } = setUp({
        baseUrl: proxy.url,
        apiKey: mock.adminKey,
        fetch: transport ?? fetch,
        idleTimeout: 60,
        timeout: 60,
      });
      const stream = client.content.stream({ prompt: 'p' });
      expect(await read(stream), `cut after ${limit} bytes`).toBe(whole);
      expect((await stream.final()).result).toBe(whole);
      expect(ended(mock), `cut after ${limit} bytes`).toBe(1);
      expect(mock.search('generations').data).toHaveLength(1);
      if (retries.length > 0) cuts += 1;
      proxy.close();
      await transport?.close();
      await served.close({ graceMs: 0 });
      await mock.close();
    }
    expect(cuts).toBeGreaterThan(positions / 2);
  },
  120_000,
);
