import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
import { invoke } from './invoke.ts';
import { closedUrl } from './receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

test('the receiver of this package passes, as a table and as JSON', async () => {
  const handler = createWebhookHandler({ secret, diagnose: false, on: {} });
  const url = await listen(toNodeHandler(handler) as RequestListener);
  const { code, out, err } = await invoke(['audit', url, '--secret', secret]);
  expect(out).toMatch(/tampered|signature/i);
  expect({ code, progress: err.startsWith(`Auditing ${url}`) }).toEqual({
    code: 0,
    progress: true,
  });
  const json = await invoke(['audit', url, '--json'], { CONTENTGEN_WEBHOOK_SECRET: secret });
  expect(json.err).toBe('');
  expect(JSON.parse(json.out)).toMatchObject({ ok: true, failed: 0 });
}, 60_000);

test('a receiver that accepts everything fails, with advice for each check', async () => {
  const url = await listen((request, response) => {
    request.resume().once('end', () => response.writeHead(200).end());
  });
  const { code, out } = await invoke(['audit', url, '--secret', secret, '--json']);
  expect(code).toBe(1);
  const { ok, results } = JSON.parse(out) as {
    ok: boolean;
    results: { outcome: string; advice?: string }[];
  };
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  expect({ ok, some: failed.length > 3 }).toEqual({ ok: false, some: true });
  expect(failed.filter(({ advice }) => !advice)).toEqual([]);
}, 60_000);

test('--effects finds a receiver that remembers nothing, which otherwise is not observable', async () => {
  let effects = 0;
  const handler = createWebhookHandler({
    secret,
    diagnose: false,
    dedupeKey: () => crypto.randomUUID(),
    on: { usage_threshold: () => effects++ },
  });
  const receive = toNodeHandler(handler);
  const url = await listen((request, response) => {
    if (request.url === '/effects') response.end(`${effects}\n`);
    else void receive(request, response);
  });
  const counter = new URL('/effects', url).href;
  const blind = await invoke(['audit', url, '--secret', secret]);
  expect(blind.code).toBe(0);
  expect(blind.out).toContain('2 not observable');
  const seeing = await invoke(['audit', url, '--secret', secret, '--effects', counter]);
  expect(seeing.code).toBe(1);
  expect(seeing.out).toMatch(/FAIL +handles a duplicate once .*3 effects/);
  const wrong = await invoke(['audit', url, '--secret', secret, '--effects', url]);
  expect(wrong).toMatchObject({ code: 1, out: '' });
  expect(wrong.err).toContain(`Failed to read the number of effects from ${url}.`);
}, 60_000);

test('a receiver that is down prints one line and exits with 1', async () => {
  const url = `${await closedUrl()}/hooks`;
  const { code, out, err } = await invoke(['audit', url, '--secret', secret]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toBe(`contentgen audit: Failed to connect to ${url}. Start the receiver first.`);
});
