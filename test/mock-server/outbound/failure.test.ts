import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createSocketServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../mock-server/outbound/failure.ts';
import type { OutboundOptions } from '../../../mock-server/outbound/transport.ts';
import { listen, serve } from '../../support/sockets.ts';
import { resolvingTo, sender } from './sender.ts';

const read = (name: string) => readFileSync(new URL(`./tls/${name}`, import.meta.url), 'utf8');

/** Finds every name on this machine. */
const local = (options: OutboundOptions = {}) =>
  sender({ allowPrivate: true, lookup: resolvingTo('127.0.0.1'), ...options });

const onSocket = (react: (socket: Socket) => void) =>
  listen(
    createSocketServer((socket) => socket.on('error', () => {}).once('data', () => react(socket))),
  );

describe('a failed attempt says why', () => {
  test('nothing is listening there', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await local()(`http://127.0.0.1:${port}/`)).toEqual({
      error: 'refused',
      reason: 'The connection was refused: nothing is listening there.',
    });
  });

  test('a certificate that is not trusted, or for another name, before anything is sent', async () => {
    const names: unknown[] = [];
    const credentials = { cert: read('cert.pem'), key: read('key.pem') };
    const server = createTlsServer(credentials, ({ socket }, response) => {
      names.push((socket as TLSSocket & { servername?: string }).servername);
      response.end('secure');
    });
    const port = await listen(server);
    expect(await local()(`https://receiver.test:${port}/`)).toEqual({
      error: 'certificate',
      reason:
        "The receiver's certificate was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT). To trust it, pass its authority to the reference server with --ca.",
    });
    const send = local({ ca: read('cert.pem') });
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
    const url = await serve(() => {
      requests += 1;
    });
    expect(await local()(url.replace('http', 'https'))).toMatchObject({
      error: 'connection',
      reason: expect.stringContaining("Check that the URL's scheme is right."),
    });
    expect(requests).toBe(0);
  });

  test('a name that does not resolve, or resolves to where nothing is delivered', async () => {
    const notFound = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    const failing = local({ lookup: () => Promise.reject(notFound) });
    expect(await failing('https://app.test/')).toEqual({
      error: 'dns',
      reason: 'The name app.test does not resolve (ENOTFOUND).',
    });
    const inner = local({ allowPrivate: false, lookup: resolvingTo('10.1.2.3') });
    expect(await inner('https://app.test/')).toEqual({
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
    const failed = await local(options)(`http://receiver.test:${port}/?secret=1`, deadline.signal);
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
