import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { ContentGen } from '../../../src/index.ts';
import { command, startMock } from './command.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../outbound/tls/${name}`, import.meta.url));

async function receiver(): Promise<string> {
  const tls = { cert: readFileSync(pathOf('cert.pem')), key: readFileSync(pathOf('key.pem')) };
  const server = createServer(tls, (_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

/** Why the first attempt of a test event failed. */
async function reasonWith(...args: string[]): Promise<string | undefined> {
  const { mock } = await startMock(['--clock', 'manual', '--log', 'none', ...args]);
  const client = new ContentGen({ baseUrl: mock.url, apiKey: mock.adminKey ?? '' });
  const { id } = await client.webhooks.create({ event: 'data_updated', url: await receiver() });
  await client.webhooks.test(id);
  await connectMock(mock.url).settle();
  const [delivery] = (await client.webhooks.listDeliveries(id)).data;
  expect(delivery?.attempts[0]?.error).toBe('certificate');
  return delivery?.attempts[0]?.reason;
}

test('--ca adds an authority that deliveries trust; the name must still match', async () => {
  expect(await reasonWith()).toContain('is self-signed');
  expect(await reasonWith('--ca', pathOf('cert.pem'))).toContain('is for another host name');
});

test('a file for --ca that is missing or contains no certificate is a usage error', async () => {
  const missing = await command(['mock', '--ca', '/nowhere/ca.pem']);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('(ENOENT)')]);
  const key = await command(['mock', '--ca', pathOf('key.pem')]);
  expect([key.code, key.stderr]).toEqual([2, expect.stringContaining('BEGIN CERTIFICATE')]);
});
