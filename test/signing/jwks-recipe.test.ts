import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WebhookHandler } from 'contentgen/webhooks';
import { base64url, exportJWK, FlattenedSign, generateKeyPair } from 'jose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { snippetsOf } from '../e2e/readme/snippets.ts';
import { root } from '../support/sources.ts';

const page = 'docs/security.md';
const body = '{"event":"usage_threshold","usage":1}';

/** A service that publishes its keys on loopback, and counts how often they are fetched. */
async function service() {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'key_1', alg: 'EdDSA' }] };
  const state = { fetches: 0, isDown: false };
  const server = createServer((_request, response) => {
    state.fetches += 1;
    response.writeHead(state.isDown ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(jwks));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  /** A delivery whose JWS names a key. */
  const request = async (id: string, kid: string, key = privateKey) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const payload = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
    const jws = await new FlattenedSign(payload)
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .sign(key);
    const signature = `${jws.protected}..${jws.signature}`;
    return new Request('https://app.example/', {
      method: 'POST',
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': `${timestamp}`,
        'x-service-signature': signature,
      },
    });
  };
  const { port } = server.address() as AddressInfo;
  return { state, request, url: `http://127.0.0.1:${port}/jwks.json` };
}

/** The handler of the page's recipe, as printed there. */
async function recipe(jwksUrl: string): Promise<WebhookHandler> {
  const text = readFileSync(join(root, page), 'utf8');
  const [snippet] = snippetsOf(page, text).filter(({ text }) =>
    text.includes('createRemoteJWKSet'),
  );
  const folder = join(root, 'test/foreign/.snippets');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `jwks-${crypto.randomUUID()}.ts`);
  writeFileSync(file, snippet?.text ?? '');
  onTestFinished(() => rmSync(file));
  vi.stubEnv('CONTENTGEN_JWKS_URL', jwksUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { handler } = await import(pathToFileURL(file).href);
  return handler;
}

test('the recipe for a JWKS accepts what the service signed, and forged deliveries cost no fetch', async () => {
  const { state, request, url } = await service();
  const handler = await recipe(url);
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const status = async (delivery: Request) => (await handler(delivery)).status;
  expect(await status(await request('msg_1', 'key_1'))).toBe(200);
  const { privateKey: stranger } = await generateKeyPair('EdDSA');
  for (let n = 0; n < 10; n++) {
    expect(await status(await request(`msg_forged_${n}`, 'key_1', stranger))).toBe(400);
    expect(await status(await request(`msg_forged_${n}`, `key_${n + 2}`, stranger))).toBe(400);
  }
  const replayed = await request('msg_1', 'key_1');
  replayed.headers.set('webhook-id', 'msg_2');
  expect(await status(replayed)).toBe(400);
  for (const malformed of ['x', 'a.b.c', `${base64url.encode('{"alg":"none"}')}..`]) {
    const delivery = await request('msg_3', 'key_1');
    delivery.headers.set('x-service-signature', malformed);
    expect(await status(delivery)).toBe(400);
  }
  expect(await status(await request('msg_4', 'key_1'))).toBe(200);
  expect(state.fetches).toBe(1);
});

test('while the keys cannot be fetched, a delivery gets a 500, so that it is sent again', async () => {
  const { state, request, url } = await service();
  const handler = await recipe(url);
  vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  state.isDown = true;
  expect((await handler(await request('msg_1', 'key_1'))).status).toBe(500);
  state.isDown = false;
  expect((await handler(await request('msg_1', 'key_1'))).status).toBe(200);
});
