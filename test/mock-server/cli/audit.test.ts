import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createWebhookHandler, type WebhookHandlerOptions } from '../../../src/webhooks/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
import { freePort } from '../../support/free-port.ts';
import { serve } from '../../support/sockets.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { createWorld, receiver } from '../../testing/receivers.ts';
import { everyType, official } from '../../testing/right-receivers.ts';
import { secret as publicSecret, recorder } from '../../webhooks/support.ts';
import { served } from '../control-api/served.ts';
import { invoke } from './invoke.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A receiver of this package, as a request listener. */
const receiverOf = (options: Partial<WebhookHandlerOptions> = {}) =>
  toNodeHandler(
    createWebhookHandler({ secret, logger: recorder(), on: {}, ...options } as never),
  ) as RequestListener;

test("the receiver of this package passes, with the server's secret and what is not observable from outside", async () => {
  const controlToken = 'a-token-of-the-team';
  const { mock, url } = await served({ controlToken });
  const target = await serve(receiverOf({ secret: mock.signingSecret }));
  const asking = ['audit', target, '--url', url, '--control-token', controlToken];
  const { code, out, err } = await invoke(asking);
  expect(code).toBe(0);
  expect(err).toContain(`Auditing ${target}`);
  expect(out).toContain('8 not observable');
  expect(out).toMatch(/\? +handles again what failed/);
}, 60_000);

test('--effects finds a receiver that remembers nothing, as JSON', async () => {
  let effects = 0;
  let failing = false;
  const receive = receiverOf({
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
  const url = await serve((request, response) => {
    if (request.url === '/effects') response.end(`${effects}\n`);
    else if (request.url === '/fail') failing = Boolean(response.writeHead(204).end());
    else void receive(request, response);
  });
  const audit = (...more: string[]) =>
    invoke(['audit', url, '--json', ...more], { CONTENTGEN_WEBHOOK_SECRET: secret });
  const seeing = await audit('--effects', `${url}/effects`, '--fail-next', `${url}/fail`);
  expect(seeing).toMatchObject({ code: 1, err: '' });
  const report = JSON.parse(seeing.out);
  expect(report.ok).toBe(false);
  expect(report.results).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ name: 'handles a duplicate once', outcome: 'failed' },
        got: expect.stringContaining('3 effects'),
      }),
      expect.objectContaining({
        ...{ name: 'handles again what failed', outcome: 'passed' },
        got: expect.stringContaining('500, 200; 1 effect'),
      }),
    ]),
  );
  const wrong = await audit('--effects', `${url}/hooks`);
  expect(wrong).toMatchObject({ code: 1, out: '' });
  expect(wrong.err).toContain(`Failed to read the number of effects from ${url}/hooks.`);
}, 60_000);

describe('--verifier', () => {
  const run = (source: string, ...more: string[]) => {
    const lines =
      "require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {";
    const text = `${lines} const vector = JSON.parse(line); ${source} });`;
    const verifier = `'${process.execPath}' ${temporaryFile('verifier.cjs', text)}`;
    return invoke(['audit', '--verifier', verifier, ...more]);
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

  test.each<[string, number, string, ...more: string[]]>([
    ["console.log('ready');", 1, "Failed to audit the verifier: it wrote 'ready' in place of"],
    ['process.exit(3);', 1, 'Failed to audit the verifier: it ended (exit code 3)'],
    [say('true'), 2, 'either URL or', 'http://localhost/'],
  ])('%s is one line', async (source, code, problem, ...more) => {
    const outcome = await run(source, ...more);
    expect(outcome).toEqual({ code, out: '', err: expect.stringContaining(problem) });
  });
});

test('a deployment without a secret, or --scheme beside it, is a usage error', async () => {
  const named = ['audit', 'http://127.0.0.1:9/', '--deployment', 'given-only'];
  expect(await invoke(named)).toEqual({
    ...{ code: 2, out: '' },
    err: expect.stringContaining('--secret (or CONTENTGEN_WEBHOOK_SECRET) is missing.'),
  });
  const both = await invoke([...named, '--scheme', 'standard', '--secret', secret]);
  expect(both).toMatchObject({ code: 2, err: expect.stringContaining('either --scheme or') });
});

test('a receiver that is down, or a URL without its scheme, is one line with what to do', async () => {
  const audit = (url: string) => invoke(['audit', url, '--secret', secret]);
  const url = `http://127.0.0.1:${await freePort()}/hooks`;
  const down = `contentgen audit: Failed to connect to ${url}. Start the receiver first.`;
  expect(await audit(url)).toEqual({ code: 1, out: '', err: down });
  for (const text of ['localhost:3000/hooks', '127.0.0.1:3000', 'app.example/x', '[::1]:3000']) {
    const err = expect.stringContaining(`Did you mean 'http://${text}'?`);
    expect(await audit(text)).toEqual({ code: 2, out: '', err });
  }
  expect((await audit('ftp://x')).err).not.toContain('Did you mean');
});

test('--scheme standard audits a receiver that knows nothing of this service', async () => {
  const world = createWorld();
  const handle = receiver({ verify: official, handle: everyType })(world);
  const receive = toNodeHandler(async (request) => handle(request));
  const url = await serve((request, response) => {
    if (request.url === '/effects') response.end(`${world.effects}`);
    else void receive(request, response);
  });
  const args = ['audit', url, '--secret', publicSecret, '--scheme', 'standard', '--json'];
  const { code, out } = await invoke([...args, '--effects', `${url}/effects`]);
  const report = JSON.parse(out) as { results: { name: string; outcome: string }[] };
  const named = (wanted: string) =>
    report.results.filter(({ outcome }) => outcome === wanted).map(({ name }) => name);
  expect({ code, failed: named('failed') }).toEqual({ code: 0, failed: [] });
  expect(named('passed')).toEqual(expect.arrayContaining(['handles a duplicate once']));
  expect(named('skipped')).toEqual([]);
}, 60_000);
