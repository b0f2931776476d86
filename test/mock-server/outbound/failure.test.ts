import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { failureOf } from '../../../mock-server/outbound/failure.ts';
import type { OutboundOptions } from '../../../mock-server/outbound/transport.ts';
import { createOutbound } from '../../../mock-server/outbound/transport.ts';

const read = (name: string) => readFileSync(new URL(`./tls/${name}`, import.meta.url), 'utf8');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function sender(options: OutboundOptions = {}) {
  const outbound = createOutbound({
    allowPrivate: true,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    ...options,
  });
  cleanups.push(() => outbound.close());
  return (url: string, signal: AbortSignal = new AbortController().signal) =>
    outbound.send({ url, headers: {}, body: Buffer.from('{}') }, { signal });
}

async function listening<
  Server extends { listen(port: number, host: string): unknown; address(): unknown },
>(server: Server & { close(): unknown }): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server as never, 'listening');
  cleanups.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const onSocket = (react: (socket: Socket) => void) =>
  listening(
    createSocketServer((socket) => socket.on('error', () => {}).once('data', () => react(socket))),
  );

describe('a failed attempt says why', () => {
  test('nothing is listening there', async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await sender()(`http://127.0.0.1:${port}/`)).toEqual({
      error: 'refused',
      reason: 'The connection was refused: nothing is listening there.',
    });
  });

  test.each([
    ['closes', (socket: Socket) => socket.destroy()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    [
      'breaks off',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal'),
    ],
  ])('a receiver that %s', async (_, react) => {
    const port = await onSocket(react);
    expect(await sender()(`http://127.0.0.1:${port}/`)).toMatchObject({
      error: 'reset',
      reason: expect.stringContaining('closed the connection'),
    });
  });

  test('a certificate that is not trusted, or for another name, before anything is sent', async () => {
    const names: unknown[] = [];
    const server = createTlsServer(
      { cert: read('cert.pem'), key: read('key.pem') },
      ({ socket }, response) => {
        names.push((socket as TLSSocket & { servername?: string }).servername);
        response.end('secure');
      },
    );
    const port = await listening(server);
    cleanups.push(() => server.closeAllConnections());
    expect(await sender()(`https://receiver.test:${port}/`)).toEqual({
      error: 'certificate',
      reason:
        "The receiver's certificate was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT). To trust it, pass its authority to the reference server with --ca.",
    });
    const send = sender({ ca: read('cert.pem') });
    expect(await send(`https://another.test:${port}/`)).toEqual({
      error: 'certificate',
      reason: "The receiver's certificate is for another host name.",
    });
    expect(names).toEqual([]);
    // Although the connection goes to the checked address, the certificate is for the name.
    expect(await send(`https://receiver.test:${port}/`)).toMatchObject({ snippet: 'secure' });
    expect(names).toEqual(['receiver.test']);
  });

  test('https to a server that speaks plain HTTP', async () => {
    let requests = 0;
    const count = () => {
      requests += 1;
    };
    const port = await listening(createServer(count));
    expect(await sender()(`https://receiver.test:${port}/`)).toMatchObject({
      error: 'connection',
      reason: expect.stringContaining("Check that the URL's scheme is right."),
    });
    expect(requests).toBe(0);
  });

  test('a response that is not HTTP', async () => {
    const port = await onSocket((socket) => socket.end('nonsense\r\n\r\n'));
    expect(await sender()(`http://127.0.0.1:${port}/`)).toMatchObject({
      error: 'connection',
      reason: 'The response is not valid HTTP/1.1.',
    });
  });

  test('a name that does not resolve, or resolves to where nothing is delivered', async () => {
    const notFound = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    const failing = sender({ lookup: () => Promise.reject(notFound) });
    expect(await failing('https://app.test/')).toEqual({
      error: 'dns',
      reason: 'The name app.test does not resolve (ENOTFOUND).',
    });
    const inner = sender({
      allowPrivate: false,
      lookup: async () => [{ address: '10.1.2.3', family: 4 }],
    });
    const refused = await inner('https://app.test/');
    expect(refused).toEqual({
      error: 'refused_address',
      reason: 'app.test resolves to an address that deliveries must not go to.',
    });
    expect(await inner('http://10.0.0.1/')).toMatchObject({
      error: 'refused_address',
      reason: expect.stringContaining('The URL is not allowed.'),
    });
  });

  test.each([
    ['resolving', { lookup: () => new Promise<never>(() => {}) }, () => {}, 'name server'],
    ['waiting', {}, () => {}, 'accepted the message but did not respond'],
    [
      'reading',
      {},
      (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal'),
      'began to respond but did not finish',
    ],
  ])('how far it got before the timeout: %s', async (phase, options, react, sentence) => {
    const deadline = new AbortController();
    let closed: Promise<unknown> = Promise.resolve();
    const port = await onSocket((socket) => {
      closed = once(socket, 'close');
      react(socket);
      // Later than the bytes just written.
      setTimeout(() => deadline.abort(), 20);
    });
    if (phase === 'resolving') setTimeout(() => deadline.abort(), 5);
    const failed = await sender(options)(`http://receiver.test:${port}/?secret=1`, deadline.signal);
    expect(failed).toMatchObject({ error: 'timeout', reason: expect.stringContaining(sentence) });
    expect(JSON.stringify(failed)).not.toContain('secret');
    await closed;
  });
});

test.each([
  [{ code: 'EHOSTUNREACH' }, 'connection'],
  [{ code: 'ETIMEDOUT' }, 'timeout'],
  [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'timeout'],
  [{ code: 'CERT_HAS_EXPIRED' }, 'certificate'],
  [{ code: 'CERT_SIGNATURE_FAILURE' }, 'certificate'],
  [new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })]), 'refused'],
  [new Error('unknown'), 'connection'],
  [undefined, 'connection'],
])('the error %j is of the kind %s', (error, kind) => {
  const { error: found, reason } = failureOf(error);
  expect(found).toBe(kind);
  expect(reason).toMatch(/^[A-Z].*\.$/);
});

test('the headers of a response are returned as they came', async () => {
  const port = await listening(
    createServer((_, response) => {
      response.writeHead(403, {
        'Content-Type': 'text/html',
        'X-Edge': ['a', 'b'],
      });
      response.end('no');
    }),
  );
  const outcome = await sender()(`http://127.0.0.1:${port}/`);
  expect(outcome).toMatchObject({ status: 403 });
  const headers = 'headers' in outcome ? [...(outcome.headers ?? [])] : [];
  expect(headers.slice(0, 3)).toEqual([
    ['Content-Type', 'text/html'],
    ['X-Edge', 'a'],
    ['X-Edge', 'b'],
  ]);
});
