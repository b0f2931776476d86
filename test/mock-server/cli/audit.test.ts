import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
import { nodeReceivers } from '../../testing/foreign/node-receiver.ts';
import { recorder } from '../../webhooks/support.ts';
import { invoke, served } from './invoke.ts';
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
  const handler = createWebhookHandler({ secret, logger: { ...console, diagnose: false }, on: {} });
  const url = await listen(toNodeHandler(handler) as RequestListener);
  const { code, out, err } = await invoke(['audit', url, '--secret', secret]);
  expect(out).toMatch(/tampered|signature/i);
  expect({ code, progress: err.includes(`Auditing ${url}`) }).toEqual({
    code: 0,
    progress: true,
  });
  const json = await invoke(['audit', url, '--json'], { CONTENTGEN_WEBHOOK_SECRET: secret });
  expect(json.err).toBe('');
  expect(JSON.parse(json.out)).toMatchObject({ ok: true, failed: 0 });
}, 60_000);

test('--effects finds a receiver that remembers nothing, which otherwise is not observable', async () => {
  let effects = 0;
  let failing = false;
  const handler = createWebhookHandler({
    secret,
    logger: recorder(),
    dedupeKey: () => crypto.randomUUID(),
    on: {
      usage_threshold: () => {
        if (failing) {
          failing = false;
          throw new Error('The database is down.');
        }
        effects += 1;
      },
    },
  });
  const receive = toNodeHandler(handler);
  const url = await listen((request, response) => {
    if (request.url === '/effects') response.end(`${effects}\n`);
    else if (request.url === '/fail') failing = Boolean(response.writeHead(204).end());
    else void receive(request, response);
  });
  const counter = new URL('/effects', url).href;
  const blind = await invoke(['audit', url, '--secret', secret]);
  expect(blind.code).toBe(0);
  expect(blind.out).toContain('8 not observable');
  const seeing = await invoke(['audit', url, '--secret', secret, '--effects', counter]);
  expect(seeing.code).toBe(1);
  expect(seeing.out).toMatch(/FAIL +handles a duplicate once .*3 effects/);
  expect(seeing.out).toMatch(/\? +handles again what failed/);
  const fail = new URL('/fail', url).href;
  const args = ['audit', url, '--secret', secret, '--effects', counter, '--fail-next', fail];
  expect((await invoke(args)).out).toMatch(/ok +handles again what failed +.*500, 200; 1 effect/);
  const wrong = await invoke(['audit', url, '--secret', secret, '--effects', url]);
  expect(wrong).toMatchObject({ code: 1, out: '' });
  expect(wrong.err).toContain(`Failed to read the number of effects from ${url}.`);
}, 60_000);

describe('--verifier', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = (source: string, ...more: string[]) => {
    const file = join(folder, `${Math.random()}.cjs`);
    const lines =
      "require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {";
    writeFileSync(file, `${lines} const vector = JSON.parse(line); ${source} });`);
    return invoke(['audit', '--verifier', `'${process.execPath}' ${file}`, ...more]);
  };
  const say = (valid: string) => `console.log(JSON.stringify({ id: vector.id, valid: ${valid} }));`;

  test('judges a verifier in another process, line by line', async () => {
    const all = await run(say('true'));
    expect(all.code).toBe(1);
    expect(all.out).toMatch(/FAIL +\d+ the digest cut to 1 +rejected +accepted/);
    const none = await run(say('vector.id === 1 ? null : false'), '--json');
    expect(none.code).toBe(1);
    expect(JSON.parse(none.out)).toMatchObject({ ok: false, skipped: 1, warnings: 0 });
  }, 60_000);

  test.each([
    ["console.log('ready');", "wrote 'ready' in place of"],
    ['process.exit(3);', 'ended (exit code 3)'],
  ])('%s is one line', async (source, problem) => {
    const { code, out, err } = await run(source);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`Failed to audit the verifier: it ${problem}`);
  });

  test('takes no URL beside it', async () => {
    const { code, err } = await run(say('true'), 'http://localhost/');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('either URL or') });
  });
});

test('a receiver that is down prints one line and exits with 1', async () => {
  const url = `${await closedUrl()}/hooks`;
  const { code, out, err } = await invoke(['audit', url, '--secret', secret]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toBe(`contentgen audit: Failed to connect to ${url}. Start the receiver first.`);
});

test("without a secret, the server's is used; a deployment without one, or --scheme beside it, is a usage error", async () => {
  const { mock, url } = await served();
  const handler = createWebhookHandler({ secret: mock.signingSecret, logger: recorder(), on: {} });
  const target = await listen(toNodeHandler(handler) as RequestListener);
  expect((await invoke(['audit', target, '--url', url])).code).toBe(0);
  const named = ['audit', target, '--deployment', 'given-only'];
  const missing = await invoke([...named, '--url', url]);
  expect({ code: missing.code, out: missing.out }).toEqual({ code: 2, out: '' });
  expect(missing.err).toContain('--secret (or CONTENTGEN_WEBHOOK_SECRET) is missing.');
  const both = await invoke([...named, '--scheme', 'standard', '--secret', secret]);
  expect(both).toMatchObject({ code: 2, err: expect.stringContaining('either --scheme or') });
}, 60_000);

test('a URL without its scheme is answered with the right one', async () => {
  for (const text of [
    'localhost:3000/hooks',
    '127.0.0.1:3000',
    'app.example/hooks',
    '[::1]:3000',
  ]) {
    const { code, err } = await invoke(['audit', text, '--secret', secret]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`Did you mean 'http://${text}'?`),
    });
  }
  const { err } = await invoke(['audit', 'ftp://x', '--secret', secret]);
  expect(err).not.toContain('Did you mean');
});

test('--scheme standard audits a receiver that knows nothing of this service', async () => {
  const url = new URL('/official', await listen(nodeReceivers(secret))).href;
  const args = ['audit', url, '--secret', secret, '--scheme', 'standard', '--json'];
  const { code, out } = await invoke([...args, '--effects', `${url}/effects`]);
  const report = JSON.parse(out) as { results: { name: string; outcome: string }[] };
  const named = (wanted: string) =>
    report.results.filter(({ outcome }) => outcome === wanted).map(({ name }) => name);
  expect({ code, failed: named('failed') }).toEqual({ code: 0, failed: [] });
  expect(named('passed')).toEqual(expect.arrayContaining(['handles a duplicate once']));
  expect(named('skipped').every((name) => name.includes('two headers'))).toBe(true);
}, 60_000);
