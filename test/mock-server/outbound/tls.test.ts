import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { createOutbound } from '../../../mock-server/outbound/transport.ts';

const read = (name: string) => readFileSync(new URL(`./tls/${name}`, import.meta.url), 'utf8');
// A self-signed certificate for `receiver.test`, made for these tests.
const cert = read('cert.pem');
const key = read('key.pem');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function receiver() {
  const names: unknown[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    names.push((request.socket as TLSSocket & { servername?: string }).servername);
    response.end('secure');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, names };
}

function outbound(ca?: string) {
  const transport = createOutbound({
    allowPrivate: true,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    ...(ca === undefined ? {} : { ca }),
  });
  cleanups.push(() => transport.close());
  return (url: string) =>
    transport.send(
      { url, headers: {}, body: Buffer.from('{}') },
      { signal: new AbortController().signal },
    );
}

test('the certificate is verified against the host name, although the connection goes to the checked address', async () => {
  const { port, names } = await receiver();
  const send = outbound(cert);
  expect(await send(`https://receiver.test:${port}/`)).toMatchObject({
    status: 200,
    snippet: 'secure',
  });
  expect(names).toEqual(['receiver.test']);
  expect(await send(`https://another.test:${port}/`)).toMatchObject({ error: 'certificate' });
  expect(names).toHaveLength(1);
});

test('an untrusted certificate is rejected before anything is sent', async () => {
  const { port, names } = await receiver();
  expect(await outbound()(`https://receiver.test:${port}/`)).toMatchObject({
    error: 'certificate',
  });
  expect(names).toEqual([]);
});
