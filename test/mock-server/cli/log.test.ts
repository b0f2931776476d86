import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { attachLog, logError } from '../../../mock-server/cli/log.ts';
import { DataFileError } from '../../../mock-server/http/serve.ts';
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
import { listen, serve } from '../../support/sockets.ts';
import { recorder } from '../../webhooks/support.ts';
import { capture } from './capture.ts';

/** A server and the lines of its log. */
function logged(options: MockServerOptions = {}) {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  onTestFinished(() => mock.close());
  const { terminal, written } = capture();
  attachLog(mock, terminal);
  const client = new ContentGen({ ...mock.adminOptions, logLevel: 'off', maxRetries: 0 });
  const lines = async () => {
    await mock.settle();
    // Lines of one turn are written together, after it.
    await new Promise(setImmediate);
    return written().trimEnd().split('\n');
  };
  return { mock, client, lines };
}

const receivers: Readonly<Record<string, () => Promise<string>>> = {
  'has no such route': () => serve((_, response) => response.writeHead(404).end()),
  'has another secret': () => {
    const handler = createWebhookHandler({
      secret: `whsec_${'B'.repeat(32)}`,
      logger: recorder(),
    });
    return serve(toNodeHandler(handler) as RequestListener);
  },
  'closes the connection': async () => {
    const rude = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.resetAndDestroy());
    });
    return `http://127.0.0.1:${await listen(rude)}/`;
  },
  'is not running': async () => 'http://127.0.0.1:1/',
};

test.each([
  ['has no such route', / {2}404 {2}attempt 1 {2}dlv_\w+$/, /^ {18}No route matches\. Check the/],
  [
    'has another secret',
    / {2}400 signature_mismatch {2}attempt 1/,
    /another secret.*contentgen doctor.*registration/,
  ],
  [
    'closes the connection',
    / {2}reset {2}attempt 1/,
    /^ {18}The receiver closed the connection before its response was complete\.$/,
  ],
  ['is not running', / {2}refused {2}attempt 1/, /nothing is listening there\. Start your server/],
])('the log says why a receiver that %s got nothing, and what to do', async (name, what, hint) => {
  const { mock, client, lines } = logged({ start: 'now' });
  const url = await receivers[name]?.();
  await client.webhooks.create({ event: 'data_updated', url: `${url}` });
  mock.trigger('data_updated');
  const [, delivery, advice] = await lines();
  expect(delivery).toMatch(what);
  expect(advice).toMatch(hint);
});

test('a line per request and per delivery, without keys, prompts, bodies or the query of a URL', async () => {
  const { mock, client, lines } = logged();
  const url = 'https://app.example/hooks';
  const prompt = 'the sea in winter';
  mock.receivers.set(`${url}?token=hush`, () => new Response('', { status: 404 }));
  const job = await client.content.generate({ prompt, webhookUrl: `${url}?token=hush` });
  const written = await lines();
  expect(written[0]).toMatch(
    /^00:00:00 {2}POST {3}\/api\/ai\/content\/generate {2}202 {2}\d+ ms {2}req_\w+$/,
  );
  expect(written[1]).toContain(`generation_completed ${url}  404  attempt 1`);
  for (const secret of [mock.adminKey, mock.signingSecret, prompt, 'hush', job.requestId]) {
    expect(written.join('\n')).not.toContain(secret);
  }
});

test('the date is above the first line of another day', async () => {
  const { mock, client, lines } = logged({ start: '2026-05-01T23:59:00Z' });
  await client.usage.get();
  await mock.clock.advance('2 minutes');
  await client.usage.get();
  await client.usage.get();
  const starts = (await lines()).map((line) => line.slice(0, 10));
  expect(starts).toEqual(['23:59:00  ', '2026-05-02', '00:01:00  ', '00:01:00  ']);
});

test('a secret that a caller puts into an address or a request id is not in the log', async () => {
  const { mock, lines } = logged();
  const { adminKey, memberKey } = mock;
  const headers = { 'x-api-key': adminKey, 'x-request-id': memberKey };
  for (const key of [adminKey, adminKey.replaceAll('_', '%5F')]) {
    await mock.fetch(`${mock.baseUrl}/api/${key}?token=hush`, { headers });
  }
  const written = await lines();
  expect(written).toHaveLength(2);
  for (const line of written) {
    expect(line).toContain('/api/[redacted]');
    expect(line).toContain('404');
    for (const key of [adminKey, memberKey]) expect(line).not.toContain(key.slice(-20));
    expect(line).not.toContain('hush');
  }
});

test('the log says why a generation failed; its caller cannot forge lines or send escape sequences', async () => {
  const { client, lines } = logged();
  const prompt = 'hush [[fail: red\u001b[31m\n12:00:00  GET    /forged  200\u202e]]';
  await client.content.generate({ prompt }).safe();
  const written = await lines();
  expect(written).toHaveLength(2);
  expect(written[0]).toMatch(
    /generation failed: red \[31m 12:00:00 {2}GET {4}\/forged {2}200 {3}gen_\w+$/,
  );
  expect(written.join('\n')).not.toContain('hush');
});

test('an internal error is logged with its stack, and one of the data file as one line', () => {
  const { terminal, written } = capture();
  logError(new Error('boom'), terminal);
  logError(new DataFileError('unsaved', 'Failed to save: full.'), terminal);
  const lines = written().split('\n');
  expect(lines[0]).toBe('contentgen mock: Internal error: Error: boom');
  expect(lines[1]).toMatch(/^ +at /);
  expect(lines.at(-2)).toBe('contentgen mock: Failed to save: full.');
});
