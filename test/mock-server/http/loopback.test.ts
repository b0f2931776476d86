import dns from 'node:dns';
import { createServer } from 'node:http';
import { isIPv6 } from 'node:net';
import { expect, type MockInstance, onTestFinished, test, vi } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts';
import type { Lookup } from '../../../mock-server/outbound/connections.ts';
import { ContentGen } from '../../../src/index.ts';
import { closeAfterwards, listen } from '../../support/sockets.ts';

/** A server that delivers, and the connections to another service on its machine. */
async function served(deliveries: NonNullable<MockServerOptions['deliveries']>, host: string) {
  const mock = createMockServer({ clock: 'manual', seed: 1, deliveries });
  let connections = 0;
  const neighbor = createServer((_, response) => response.end()).on('connection', () => {
    connections += 1;
  });
  const port = await listen(neighbor);
  const client = new ContentGen({ ...mock.adminOptions, maxRetries: 0 });
  const start = async () => {
    const { close } = await serve(mock, { port: 0, dashboard: false, host });
    closeAfterwards(close);
  };
  closeAfterwards(() => mock.close());
  const register = (url: string) => client.webhooks.create({ event: 'data_updated', url });
  /** Sends a test event, and returns what came of it. */
  const send = async ({ id }: { readonly id: string }) => {
    await client.webhooks.test(id);
    await mock.settle();
    return (await client.webhooks.listDeliveries(id)).data[0]?.attempts;
  };
  return { client, port, start, register, send, connections: () => connections };
}

test.each([
  ['127.0.0.1', {}],
  ['localhost', {}],
  ['0.0.0.0', { allowPrivate: true }],
])('a server on %s delivers to its own machine with deliveries: %j', async (host, deliveries) => {
  const { port, start, register, send } = await served(deliveries, host);
  await start();
  const hook = await register(`http://127.0.0.1:${port}/hooks`);
  expect(await send(hook)).toMatchObject([{ status: 200 }]);
});

test('a server that other machines can reach rejects loopback, also for queued deliveries', async () => {
  const { client, port, start, register, send, connections } = await served({}, '0.0.0.0');
  const url = `http://127.0.0.1:${port}/hooks`;
  const hook = await register(url);
  await start();
  expect(await send(hook)).toMatchObject([
    { error: 'refused_address', reason: expect.stringContaining('loopback') },
  ]);
  for (const target of [url, 'http://localhost:3000/', 'https://[::1]/']) {
    await expect(register(target)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/url', code: 'refused_address' }],
    });
    const generated = client.content.generate({ prompt: 'p', webhookUrl: target });
    await expect(generated).rejects.toMatchObject({ errors: [{ pointer: '/webhookUrl' }] });
  }
  expect(connections()).toBe(0);
});

test.each([
  ['localhost.localdomain', ['127.0.0.1']],
  ['localhost.', ['127.0.0.1']],
  ['neighbor.test', ['::1']],
  ['neighbor.test', ['::ffff:127.0.0.1']],
  ['neighbor.test', ['10.0.0.5']],
  ['neighbor.test', ['fd00::5']],
  ['neighbor.test', ['93.184.216.34', '127.0.0.1']],
  ['neighbor.test', ['0.0.0.0']],
  ['neighbor.test', ['::']],
  ['neighbor.test', ['64:ff9b::7f00:1']],
  ['neighbor.test', ['2002:7f00:1::']],
  ['neighbor.test', ['fe80::1%lo']],
  ['neighbor.test', ['a name in place of an address']],
])('it rejects %s, which resolves to %j, without connecting', async (name, addresses) => {
  const { port, start, register, send, connections } = await served({ network: true }, '0.0.0.0');
  await start();
  const lookup = vi.spyOn(dns.promises, 'lookup') as unknown as MockInstance<Lookup>;
  onTestFinished(() => lookup.mockRestore());
  lookup.mockResolvedValue(
    addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
  );
  expect(await send(await register(`https://${name}:${port}/metrics`))).toMatchObject([
    { error: 'refused_address', reason: expect.stringContaining('resolves to an address') },
  ]);
  expect(lookup).toHaveBeenCalledWith(name, { all: true });
  expect(connections()).toBe(0);
});
