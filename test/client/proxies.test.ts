import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { ContentGen, type Fetch } from 'contentgen';
import { Agent, type Dispatcher, fetch, ProxyAgent } from 'undici';
import { describe, expect, test } from 'vitest';
import { closeAfterwards, closeAll, listen } from '../support/sockets.ts';

/** A proxy that opens tunnels (RFC 9110, section 9.3.6), or refuses to with a status. */
async function proxy(refusal?: string) {
  const tunnels: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    socket.on('error', () => {});
    if (refusal) {
      socket.end(`HTTP/1.1 ${refusal}\r\nconnection: close\r\n\r\n`);
      return;
    }
    const [host, port] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, tunnels };
}

const usage = JSON.stringify({ used: 1, quota: 2 });
const read = (name: string) =>
  readFileSync(new URL(`../mock-server/outbound/tls/${name}`, import.meta.url), 'utf8');
/** Self-signed, for `receiver.test`. */
const certificate = { cert: read('cert.pem'), key: read('key.pem') };
const trust = { ca: certificate.cert, servername: 'receiver.test' };

async function service({ tls }: { tls: boolean }) {
  const respond = (_: unknown, response: { end(text: string): void }) => response.end(usage);
  const server = tls ? createTlsServer(certificate, respond) : createServer(respond);
  const port = await listen(server as Server);
  return { host: `localhost:${port}`, url: `${tls ? 'https' : 'http'}://localhost:${port}` };
}

/** A client whose requests go through a dispatcher, as docs/transports.md shows it. */
const clientOf = (baseUrl: string, dispatcher: Dispatcher) => {
  closeAfterwards(() => dispatcher.destroy());
  const send = (url: string, init?: object) => fetch(url, { ...init, dispatcher });
  return new ContentGen({
    baseUrl,
    apiKey: 'k',
    fetch: send as unknown as Fetch,
    maxRetries: 0,
    logLevel: 'off',
  });
};

describe('through a proxy', () => {
  test('calls reach a service over TLS, whose certificate is checked through the tunnel', async () => {
    const { url, host } = await service({ tls: true });
    const via = await proxy();
    const trusting = new ProxyAgent({ uri: via.url, requestTls: trust });
    expect(await clientOf(url, trusting).usage.get()).toEqual({ used: 1, quota: 2 });
    const { error } = await clientOf(url, new ProxyAgent(via.url)).usage.get().safe();
    expect(error).toMatchObject({ code: 'connection_failed', reason: 'tls' });
    expect(error?.message).toContain(`The certificate of ${host} is not trusted`);
    expect(via.tunnels).toEqual([host, host]);
  });

  test.each(['407 Proxy Authentication Required', '502 Bad Gateway', '403 Forbidden'])(
    "a refusal with %s is reported as the proxy's failure",
    async (refusal) => {
      const via = await proxy(refusal);
      const client = clientOf('https://api.example.com', new ProxyAgent(via.url));
      const { error } = await client.usage.get().safe();
      expect(error).toMatchObject({ code: 'connection_failed', reason: 'proxy' });
      expect(error?.message).toContain(
        'The connection to api.example.com failed: the proxy did not connect',
      );
    },
  );

  test('a proxy that is down is named, not the service', async () => {
    const { url } = await proxy();
    await closeAll();
    const client = clientOf('https://api.example.com', new ProxyAgent(url));
    const { error } = await client.usage.get().safe();
    expect(error).toMatchObject({ code: 'connection_failed', reason: 'proxy' });
  });
});

test('a dispatcher that was closed fails a call at once, without a retry', async () => {
  const { url } = await service({ tls: false });
  const dispatcher = new Agent();
  const client = clientOf(url, dispatcher).withOptions({ maxRetries: 3 });
  await dispatcher.close();
  const { error } = await client.usage.get().safe();
  expect(error).toMatchObject({ code: 'connection_failed', attempts: { length: 1 } });
  expect(error?.message).toContain('this fetch was closed');
});
