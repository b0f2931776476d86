import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { ContentGen } from '../../../src/index.ts';
import { listen } from '../../support/sockets.ts';
import { startMock } from './command.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../outbound/tls/${name}`, import.meta.url));

async function receiver(): Promise<string> {
  const tls = { cert: readFileSync(pathOf('cert.pem')), key: readFileSync(pathOf('key.pem')) };
  return `https://127.0.0.1:${await listen(createServer(tls, (_, response) => response.end()))}/hooks`;
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
  expect(await reasonWith()).toContain('SELF_SIGNED');
  expect(await reasonWith('--ca', pathOf('cert.pem'))).toContain('is for another host name');
});
