import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { checkCallbackUrl } from '../../../mock-server/domain/url-policy.ts';
import type { Lookup } from '../../../mock-server/outbound/connections.ts';
import { closeAfterwards } from '../../support/sockets.ts';
import { hostileNames, hostileUrls } from './hostile-urls.ts';
import { resolvingTo, sender } from './sender.ts';

/** Also reached at `::1`. */
async function receiver(listener: RequestListener) {
  const requests: { url: string; headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ url: request.url ?? '', headers: request.headers, body });
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  closeAfterwards(() => server.close());
  closeAfterwards(() => server.closeAllConnections());
  return { port: (server.address() as AddressInfo).port, requests, server };
}

const namesFrom =
  (names: Readonly<Record<string, readonly string[]>>): Lookup =>
  async (hostname) => {
    const addresses = names[hostname];
    if (!addresses) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    return resolvingTo(...addresses)(hostname);
  };

function watchSockets() {
  let opened = 0;
  const count = (message: unknown) =>
    (message as { socket: Socket }).socket.on('connectionAttempt', () => {
      opened += 1;
    });
  subscribe('net.client.socket', count);
  closeAfterwards(() => unsubscribe('net.client.socket', count));
  return () => opened;
}

describe('hostile URLs', () => {
  test('the table has at least 60 rows and no duplicates', () => {
    expect(new Set(hostileUrls).size).toBe(hostileUrls.length);
    expect(hostileUrls.length).toBeGreaterThanOrEqual(60);
  });

  test('no row opens a connection or reaches the canary', async () => {
    const canary = await receiver((_, response) => response.end());
    const send = sender({ lookup: namesFrom(hostileNames) });
    const opened = watchSockets();
    for (const template of hostileUrls) {
      const outcome = await send(template.replace('PORT', String(canary.port)));
      expect(outcome, template).toMatchObject({ error: 'refused_address' });
    }
    expect(opened()).toBe(0);
    expect(canary.requests).toEqual([]);
    expect(await send(`http://localhost:${canary.port}/`)).toMatchObject({ error: 'dns' });
    expect(await send(`http://127.0.0.1:${canary.port}/`)).toMatchObject({ status: 200 });
    expect(opened()).toBe(1);
  });

  test('a row that needs no DNS lookup is already rejected at registration', () => {
    const decided = hostileUrls.filter(
      (url) => !Object.keys(hostileNames).some((name) => url.includes(name)),
    );
    for (const url of decided) {
      expect(checkCallbackUrl(url.replace('PORT', '4010')), url).toMatchObject({ ok: false });
    }
    expect(decided.length).toBeGreaterThanOrEqual(60);
  });

  test('a name that resolves first to an allowed and then to another address never reaches the other', async () => {
    const canary = await receiver((_, response) => {
      response.setHeader('connection', 'close').end();
    });
    const resolutions = [['127.0.0.1'], ['127.0.0.1', '::1'], ['10.0.0.1'], ['::1']];
    let asked = 0;
    const lookup: Lookup = (...given) => resolvingTo(...(resolutions[asked++] ?? []))(...given);
    const send = sender({ lookup, allowPrivate: ['127.0.0.0/8'] });
    const opened = watchSockets();
    const url = `http://rebinding.test:${canary.port}/`;
    expect(await send(url)).toMatchObject({ status: 200 });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await send(url)).toMatchObject({ error: 'refused_address' });
    }
    expect([asked, opened(), canary.requests.length]).toEqual([4, 1, 1]);
  });

  test('the connection goes to the checked address, not to what the system resolves', async () => {
    const canary = await receiver((_, response) => response.end('{"ok":true}'));
    const send = sender({
      allowPrivate: true,
      lookup: namesFrom({ 'not-in-dns.test': ['127.0.0.1'] }),
    });
    expect(await send(`http://not-in-dns.test:${canary.port}/hook?a=1`)).toMatchObject({
      status: 200,
      snippet: '{"ok":true}',
    });
    expect(canary.requests[0]).toMatchObject({
      url: '/hook?a=1',
      headers: { host: `not-in-dns.test:${canary.port}` },
      body: '{}',
    });
  });

  test('localhost must resolve to loopback', async () => {
    const canary = await receiver((_, response) => response.end());
    const astray = sender({ lookup: namesFrom({ localhost: ['93.184.216.34'] }) });
    expect(await astray(`http://localhost:${canary.port}/`)).toMatchObject({
      error: 'refused_address',
    });
    const home = sender({ lookup: namesFrom({ localhost: ['::1', '127.0.0.1'] }) });
    expect(await home(`http://LocalHost:${canary.port}/`)).toMatchObject({ status: 200 });
  });

  test('--strict-https rejects http on loopback and private addresses too', () => {
    const policy = { strictHttps: true, allowPrivate: true };
    for (const host of ['localhost:3000', '10.0.0.1']) {
      const insecure = checkCallbackUrl(`http://${host}/`, policy);
      expect(insecure).toMatchObject({ ok: false, code: 'insecure_url' });
      expect(checkCallbackUrl(`https://${host}/`, policy).ok).toBe(true);
    }
  });

  test.each([
    'https://example.com/hooks',
    'https://bücher.example/x?y=z#f',
    'http://localhost:3000',
    'http://127.9.8.7/',
    'http://[::1]:3000/',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
  ])('accepts %s', (url) => {
    expect(checkCallbackUrl(url)).toMatchObject({ ok: true });
  });
});

describe('one attempt', () => {
  test('redirects are not followed', async () => {
    const canary = await receiver((request, response) => {
      response.writeHead(request.url === '/start' ? 307 : 200, { location: '/elsewhere' }).end();
    });
    const send = sender();
    expect(await send(`http://127.0.0.1:${canary.port}/start`)).toMatchObject({ status: 307 });
    expect(canary.requests.map(({ url }) => url)).toEqual(['/start']);
  });

  test('Retry-After and the other headers are returned as the receiver wrote them', async () => {
    const retryAfter = 'Wed, 21 Oct 2026 07:28:00 GMT';
    const { port } = await receiver((_, response) => {
      response.writeHead(503, { 'retry-after': retryAfter, 'X-Edge': ['a', 'b'] }).end('later');
    });
    const outcome = await sender()(`http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ status: 503, retryAfter, snippet: 'later' });
    expect('headers' in outcome && [...(outcome.headers ?? [])].slice(1, 3)).toEqual([
      ['X-Edge', 'a'],
      ['X-Edge', 'b'],
    ]);
  });

  test('only 16 KiB of an endless response are read, and its status counts', async () => {
    let written = 0;
    const { port } = await receiver((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) written += 65_536;
      };
      response.on('drain', more);
      more();
    });
    const outcome = await sender()(`http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ status: 200, snippet: 'x'.repeat(16 * 1024) });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });
});
