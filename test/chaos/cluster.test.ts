import { execFileSync } from 'node:child_process';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withRedis } from '../support/servers.ts';
import type { ClientName } from './clients.ts';
import { type Fault, type Fleet, runFault, startFleet } from './matrix.ts';
import { type SilentProxy, startProxy } from './proxy.ts';
import { report } from './report.ts';

const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];
const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];

// `npm run test:all` runs the short form.
const isWhole = Boolean(process.env['CHAOS_REPORT']);
const clients: ClientName[] = ['node-redis cluster'];
if (isWhole) clients.push('ioredis cluster');

/** The keys of the receivers are in slot 15495, which belongs to the third node. */
const withKeys = 2;

describe.runIf(needs('redis'))('receivers over a three-node Redis Cluster', () => {
  let nodes: ThrowAwayServer[] = [];
  /** One proxy in front of each node: the nodes announce the proxies' ports, so clients connect through them. */
  let proxies: SilentProxy[] = [];

  const ask = async ({ url }: ThrowAwayServer, ...command: string[]) => {
    const client = createClient({ url }).on('error', () => {});
    await client.connect();
    return client.sendCommand(command).finally(() => client.destroy());
  };

  beforeAll(async () => {
    nodes = await Promise.all([1, 2, 3].map(() => withRedis([...settings, ...durable])));
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    execFileSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
    proxies = await Promise.all(nodes.map(({ port }) => startProxy(port)));
    await announce();
    await healthy();
  });
  afterAll(async () => {
    for (const proxy of proxies) proxy.close();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const announce = () =>
    Promise.all(
      nodes.map(async (node, index) => {
        await ask(node, 'CONFIG', 'SET', 'cluster-announce-bus-port', `${node.port + 10_000}`);
        await ask(node, 'CONFIG', 'SET', 'cluster-announce-port', `${proxies[index]?.port}`);
      }),
    );
  const healthy = () =>
    Promise.all(
      nodes.map((node) => {
        const ok = async () => {
          expect(await ask(node, 'CLUSTER', 'INFO')).toContain('cluster_state:ok');
          const slots = JSON.stringify(await ask(node, 'CLUSTER', 'SLOTS'));
          for (const { port } of proxies) expect(slots).toContain(`,${port},`);
        };
        return vi.waitFor(ok, { timeout: 20_000, interval: 100 });
      }),
    );

  const killed = (index: number): Fault => ({
    name: index === withKeys ? 'the node with the keys killed' : 'another node killed',
    strike: async () => nodes[index]?.end('SIGKILL'),
    heal: async () => {
      await nodes[index]?.start();
      // A restarted node has forgotten its run-time settings.
      await announce();
    },
  });
  const silent = (indexes: number[]): Fault => ({
    name: indexes.length === 1 ? 'silent partition of the node with the keys' : 'silent partition',
    strike: async () => {
      for (const index of indexes) proxies[index]?.stall();
    },
    heal: async () => {
      for (const index of indexes) proxies[index]?.resume();
    },
  });
  const faults = [killed(withKeys), silent([withKeys])];
  if (isWhole) faults.push(killed(0), silent([0, 1, 2]));

  describe.each(clients)('by %s', (client) => {
    let fleet: Fleet;
    beforeAll(async () => {
      const url = proxies.map(({ port }) => `redis://127.0.0.1:${port}`).join(',');
      fleet = await startFleet({ store: 'Redis Cluster', client, url });
    });
    afterAll(() => fleet?.stop());

    test.each(faults)('keep their promises: $name', async (fault) => {
      report(await runFault(fleet, { ...fault, prepare: healthy }));
    });
  });
});
