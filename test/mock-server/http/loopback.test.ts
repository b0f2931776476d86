import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type ServeOptions, serve } from '../../../mock-server/http/serve.ts';
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';

async function served(options: MockServerOptions, serving: ServeOptions) {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  const hits: string[] = [];
  const neighbor = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => neighbor.listen(0, '127.0.0.1', resolve));
  const { port } = neighbor.address() as AddressInfo;
  const client = new ContentGen({ ...mock.adminOptions, maxRetries: 0 });
  const url = `http://127.0.0.1:${port}/hooks`;
  const start = async () => {
    const { close } = await serve(mock, { port: 0, dashboard: false, ...serving });
    onTestFinished(() => close());
  };
  onTestFinished(async () => {
    await mock.close();
    neighbor.closeAllConnections();
    neighbor.close();
  });
  return { mock, client, url, hits, start };
}

test.each([
  ['127.0.0.1', {}],
  ['localhost', {}],
  ['0.0.0.0', { allowPrivate: true }],
])('a server on %s delivers to its own machine with deliveries: %j', async (host, deliveries) => {
  const { mock, client, url, hits, start } = await served({ deliveries }, { host });
  await start();
  const hook = await client.webhooks.create({ event: 'data_updated', url });
  await client.webhooks.test(hook.id);
  await mock.settle();
  expect(hits).toEqual(['/hooks']);
});

test('a server that other machines can reach rejects loopback, also for queued deliveries', async () => {
  const { mock, client, url, hits, start } = await served({}, { host: '0.0.0.0' });
  const hook = await client.webhooks.create({ event: 'data_updated', url });
  await start();
  await client.webhooks.test(hook.id);
  await mock.settle();
  expect((await client.webhooks.listDeliveries(hook.id)).data[0]?.attempts).toMatchObject([
    { error: 'refused_address', reason: expect.stringContaining('loopback') },
  ]);
  for (const target of [url, 'http://localhost:3000/', 'https://[::1]/']) {
    const created = client.webhooks.create({ event: 'data_updated', url: target });
    await expect(created).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/url', code: 'refused_address' }],
    });
    const generated = client.content.generate({ prompt: 'p', webhookUrl: target });
    await expect(generated).rejects.toMatchObject({ errors: [{ pointer: '/webhookUrl' }] });
  }
  expect(hits).toEqual([]);
});
