import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
import { serve as serveHandler } from '../../support/sockets.ts';
import { startMock } from './command.ts';
import { receiver } from './receiver.ts';

const clientOf = (baseUrl: string, apiKey: string | null) =>
  new ContentGen({ baseUrl, apiKey: apiKey ?? '', logLevel: 'off', maxRetries: 0 });

test('the log says what a receiver rejected, and what to do', async () => {
  const hooks = await receiver(() => 404);
  const text = await startMock(['--log', 'text']);
  const json = await startMock(['--log', 'json']);
  for (const { mock } of [text, json]) {
    const client = clientOf(mock.url, mock.adminKey);
    await client.webhooks.create({ event: 'data_updated', url: hooks.url });
    await connectMock(mock.url).trigger('data_updated');
  }
  expect(await text.errLine(/data_updated/)).toMatch(/ {2}404 {2}attempt 1 {2}dlv_\w+$/);
  expect(await text.errLine(/No route/)).toMatch(/^ {18}No route matches\. Check the path/);
  expect(JSON.parse(await json.errLine(/"delivery"/))).toMatchObject({
    status: 404,
    hint: expect.stringContaining('No route matches.'),
  });
});

test('the log names the code of a receiver with another secret, and what to do', async () => {
  const handler = createWebhookHandler({
    secret: `whsec_${'B'.repeat(32)}`,
    logger: { ...console, diagnose: false },
  });
  const url = await serveHandler(toNodeHandler(handler) as RequestListener);
  const { mock, errLine } = await startMock(['--log', 'text']);
  const client = clientOf(mock.url, mock.adminKey);
  await client.webhooks.create({ event: 'data_updated', url });
  await connectMock(mock.url).trigger('data_updated');
  expect(await errLine(/data_updated/)).toContain('  400 signature_mismatch  attempt 1');
  expect(await errLine(/signing secret of this server\?/)).toContain('contentgen doctor');
});

test('the log says why a delivery got no response', async () => {
  const rude = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.resetAndDestroy());
  });
  await once(rude.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void rude.close());
  const { port } = rude.address() as AddressInfo;
  const { mock, errLine } = await startMock(['--log', 'text']);
  const { webhooks } = clientOf(mock.url, mock.adminKey);
  await webhooks.create({ event: 'data_updated', url: `http://127.0.0.1:${port}/` });
  await webhooks.create({ event: 'invoice_paid', url: 'http://127.0.0.1:1/' });
  await connectMock(mock.url).trigger('data_updated');
  expect(await errLine(/receiver closed/)).toMatch(
    /^ {18}The receiver closed the connection before its response was complete\.$/,
  );
  await connectMock(mock.url).trigger('invoice_paid');
  expect(await errLine(/refused:/)).toMatch(/nothing is listening there\. Start your server/);
});
