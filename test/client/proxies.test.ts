import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { ContentGen } from 'contentgen';
import { nodeFetch } from 'contentgen/node';
import { Agent, ProxyAgent } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeAfterwards, closeAll, listen } from './support/sockets.ts';

afterEach(() => void vi.unstubAllEnvs());

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

const clientOf = (baseUrl: string, fetch: ReturnType<typeof nodeFetch>) => {
  closeAfterwards(() => fetch.close());
  return new ContentGen({ baseUrl, apiKey: 'k', fetch, maxRetries: 0, logLevel: 'off' });
};

describe('through a proxy', () => {
  test('calls reach a service over HTTP', async () => {
    const { url, host } = await service({ tls: false });
    const via = await proxy();
    const client = clientOf(url, nodeFetch({ proxy: via.url }));
    expect(await client.usage.get()).toEqual({ used: 1, quota: 2 });
    expect(via.tunnels).toEqual([host]);
  });

  test('of the environment calls reach it too, except for hosts in NO_PROXY', async () => {
    const { url, host } = await service({ tls: false });
    const via = await proxy();
    for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'HTTPS_PROXY', 'NO_PROXY'])
      vi.stubEnv(name, undefined);
    vi.stubEnv('HTTP_PROXY', via.url);
    const client = clientOf(url, nodeFetch());
    await client.usage.get();
    expect(via.tunnels).toEqual([host]);
    vi.stubEnv('NO_PROXY', 'localhost');
    await client.usage.get();
    vi.stubEnv('NO_PROXY', '');
    await clientOf(url, nodeFetch({ proxy: false })).usage.get();
    expect(via.tunnels).toEqual([host]);
  });

  test.each(['', 'user:secret@'])(
    'written as %shost:port is one over HTTP, as option and in the environment',
    async (credentials) => {
      const { url, host } = await service({ tls: false });
      const via = await proxy();
      const address = credentials + new URL(via.url).host;
      for (const name of ['https_proxy', 'no_proxy', 'HTTPS_PROXY', 'NO_PROXY', 'HTTP_PROXY'])
        vi.stubEnv(name, undefined);
      vi.stubEnv('http_proxy', address);
      await clientOf(url, nodeFetch()).usage.get();
      await clientOf(url, nodeFetch({ proxy: address })).usage.get();
      expect(via.tunnels).toEqual([host, host]);
      vi.stubEnv('http_proxy', 'user:secret@proxy');
      expect(() => nodeFetch()).toThrow(/^http_proxy must be the URL of a proxy or its host:port/);
      expect(() => nodeFetch()).not.toThrow(/secret/);
    },
  );

  test('calls reach a service over TLS, whose certificate is checked through the tunnel', async () => {
    const { url, host } = await service({ tls: true });
    const via = await proxy();
    const trusting = new ProxyAgent({ uri: via.url, requestTls: trust });
    closeAfterwards(() => trusting.close());
    expect(await clientOf(url, nodeFetch({ dispatcher: trusting })).usage.get()).toEqual({
      used: 1,
      quota: 2,
    });
    const { error } = await clientOf(url, nodeFetch({ proxy: via.url }))
      .usage.get()
      .safe();
    expect(error).toMatchObject({ code: 'connection_failed', reason: 'tls' });
    expect(error?.message).toContain(`The certificate of ${host} is not trusted`);
    expect(via.tunnels).toEqual([host, host]);
  });

  test.each(['407 Proxy Authentication Required', '502 Bad Gateway', '403 Forbidden'])(
    "a refusal with %s is reported as the proxy's failure",
    async (refusal) => {
      const via = await proxy(refusal);
      const { error } = await clientOf('https://api.example.com', nodeFetch({ proxy: via.url }))
        .usage.get()
        .safe();
      expect(error).toMatchObject({ code: 'connection_failed', reason: 'proxy' });
      expect(error?.message).toContain(
        'The connection to api.example.com failed: the proxy did not connect',
      );
    },
  );

  test('a proxy that is down is named, not the service', async () => {
    const { url } = await proxy();
    await closeAll();
    const { error } = await clientOf('https://api.example.com', nodeFetch({ proxy: url }))
      .usage.get()
      .safe();
    expect(error).toMatchObject({ code: 'connection_failed', reason: 'proxy' });
  });
});

test('without a proxy, an untrusted certificate is not retried, and the caller can trust it with a dispatcher', async () => {
  const { url, host } = await service({ tls: true });
  const { error } = await clientOf(url, nodeFetch({ proxy: false }))
    .usage.get({ maxRetries: 3 })
    .safe();
  expect(error).toMatchObject({ reason: 'tls', attempts: [{ code: 'connection_failed' }] });
  expect(error?.message).toContain(
    `The certificate of ${host} is not trusted: self-signed certificate`,
  );
  const dispatcher = new Agent({ connect: trust });
  closeAfterwards(() => dispatcher.close());
  expect(await clientOf(url, nodeFetch({ dispatcher })).usage.get()).toEqual({ used: 1, quota: 2 });
});
