import dns from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type MockInstance, onTestFinished, test, vi } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import type { Lookup } from '../../../mock-server/outbound/connections.ts';
import { ContentGen } from '../../../src/index.ts';

/** A server that other machines can reach, the port of another service on its machine, and the connections to it. */
async function withNeighbor() {
  let connections = 0;
  const neighbor = createServer().on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => neighbor.listen(0, '127.0.0.1', resolve));
  const mock = createMockServer({ clock: 'manual', seed: 1, deliveries: { network: true } });
  const served = await serve(mock, { port: 0, host: '0.0.0.0', dashboard: false });
  onTestFinished(async () => {
    await served.close();
    await mock.close();
    neighbor.close();
  });
  const { baseUrl, adminKey: apiKey, fetch } = mock;
  const client = new ContentGen({ baseUrl, apiKey, fetch, maxRetries: 0 });
  const { port } = neighbor.address() as AddressInfo;
  return { mock, client, port, connections: () => connections };
}

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
])(
  'a server beyond loopback rejects %s, which resolves to %j, without connecting',
  async (name, addresses) => {
    const { mock, client, port, connections } = await withNeighbor();
    const lookup = vi.spyOn(dns.promises, 'lookup') as unknown as MockInstance<Lookup>;
    onTestFinished(() => lookup.mockRestore());
    lookup.mockResolvedValue(
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
    const url = `https://${name}:${port}/metrics`;
    const hook = await client.webhooks.create({ event: 'data_updated', url });
    await client.webhooks.test(hook.id);
    await mock.settle();
    expect((await client.webhooks.listDeliveries(hook.id)).data[0]?.attempts).toMatchObject([
      { error: 'refused_address', reason: expect.stringContaining('resolves to an address') },
    ]);
    expect(lookup).toHaveBeenCalledWith(name, { all: true });
    expect(connections()).toBe(0);
  },
);
