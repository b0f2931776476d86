import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
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

describe('the secret that the audit signs with', () => {
  const receiver = (receiverSecret: string) =>
    listen(
      toNodeHandler(
        createWebhookHandler({
          secret: receiverSecret,
          logger: { ...console, diagnose: false },
          on: {},
        }),
      ) as RequestListener,
    );

  test('a wrong secret fails even if the receiver has it too, and the report says so first', async () => {
    const { mock, url } = await served();
    const target = await receiver(secret);
    const env = { CONTENTGEN_BASE_URL: url, CONTENTGEN_API_KEY: mock.adminKey };
    const { code, out, err } = await invoke(['audit', target, '--secret', secret], env);
    expect(code).toBe(1);
    expect(err.split('\n')[0]).toBe(
      `✗ secret     From --secret. It is not the signing secret of the project at ${url}. If it belongs to a registration, add --registration.`,
    );
    expect(out).toContain('0 failed');
    expect(out).toMatch(/The receiver has the same wrong secret, so it rejects every .*$/);
    expect(err + out).not.toContain(secret);
    expect(err + out).not.toContain(mock.signingSecret);
    const json = await invoke(['audit', target, '--secret', secret, '--json'], env);
    expect({ code: json.code, ...JSON.parse(json.out) }).toMatchObject({
      code: 1,
      ok: false,
      failed: 0,
      secret: { verdict: 'wrong' },
    });
    const own = await invoke(['audit', target, '--secret', secret, '--registration'], env);
    expect(own.code).toBe(0);
    expect(own.err).toMatch(/^- secret .*Not compared: it belongs to a registration\./);
  }, 60_000);

  test('the right one passes, and a receiver with another one is reported as such', async () => {
    const { mock, url } = await served();
    const env = {
      CONTENTGEN_BASE_URL: url,
      CONTENTGEN_API_KEY: mock.adminKey,
      CONTENTGEN_WEBHOOK_SECRET: mock.signingSecret,
    };
    const right = await invoke(['audit', await receiver(mock.signingSecret)], env);
    expect({ code: right.code, first: right.err.split('\n')[0] }).toEqual({
      code: 0,
      first:
        "✓ secret     From CONTENTGEN_WEBHOOK_SECRET in the environment. It is the project's signing secret",
    });
    const wrong = await invoke(['audit', await receiver(secret)], env);
    expect(wrong.code).toBe(1);
    expect(wrong.err).toMatch(/^✓ secret/);
    expect(wrong.out).toMatch(
      /signed with the project's secret, so the receiver has another one\.$/,
    );
    expect(wrong.out).toMatch(
      /^No delivery was accepted \(400 signature_mismatch\): is the secret/,
    );
  }, 60_000);

  test("without a secret, the server's is used; a key that is not allowed to read it is reported", async () => {
    const { mock, url } = await served();
    const target = await receiver(mock.signingSecret);
    const read = await invoke(['audit', target, '--url', url]);
    expect(read.code).toBe(0);
    expect(read.err).toMatch(/^✓ secret +Read from http.*: the project's signing secret\./);
    const args = ['audit', target, '--secret', mock.signingSecret];
    const member = await invoke([...args, '--url', url, '--api-key', mock.memberKey]);
    expect(member.code).toBe(0);
    expect(member.err).toMatch(/^- secret .*did not return the project's secret\. Pass an admin/);
    const down = await invoke([...args, '--url', await closedUrl()]);
    expect(down.code).toBe(0);
    expect(down.err).toMatch(/^- secret .*Not compared: http/);
    const offline = await invoke(args);
    expect(offline.err).toMatch(
      /^- secret .*From --secret\. Not compared with the project's: pass/,
    );
  }, 60_000);

  test("the secret of a registration must be passed: the server would return the project's", async () => {
    const { mock, url } = await served();
    const target = await receiver(secret);
    const args = ['audit', target, '--registration', '--url', url, '--api-key', mock.adminKey];
    const { code, out, err } = await invoke(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('--secret (or CONTENTGEN_WEBHOOK_SECRET) is missing.');
  });

  test('a secret from a file of variables is reported as such', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, '.env');
    writeFileSync(file, `CONTENTGEN_WEBHOOK_SECRET=${secret}\n`);
    const { code, err } = await invoke(['audit', await receiver(secret), '--env-file', file]);
    expect(code).toBe(0);
    expect(err).toMatch(/^- secret +From CONTENTGEN_WEBHOOK_SECRET in --env-file\./);
  }, 60_000);
});
