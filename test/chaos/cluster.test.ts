import { execFileSync } from 'node:child_process';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withRedis } from '../support/servers.ts';
import { type Fault, type Fleet, runFault, startFleet } from './matrix.ts';
import { report } from './report.ts';

const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];
const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];

describe.runIf(needs('redis'))('receivers over a three-node Redis Cluster', () => {
  let nodes: ThrowAwayServer[] = [];
  let fleet: Fleet;

  beforeAll(async () => {
    nodes = await Promise.all([1, 2, 3].map(() => withRedis([...settings, ...durable])));
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    execFileSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
    await healthy();
    const url = nodes.map((node) => node.url).join(',');
    fleet = await startFleet({ store: 'Redis Cluster', kind: 'cluster', url });
  });
  afterAll(async () => {
    await fleet?.stop();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const healthy = () =>
    Promise.all(
      nodes.map(async ({ url }) => {
        const client = await createClient({ url })
          .on('error', () => {})
          .connect();
        const ok = async () =>
          expect(await client.sendCommand(['CLUSTER', 'INFO'])).toContain('cluster_state:ok');
        await vi.waitFor(ok, { timeout: 15_000, interval: 100 });
        client.destroy();
      }),
    );

  // The keys of the receivers are in slot 15495, which belongs to the third node.
  const faults: Fault[] = [2, 0].map((index) => ({
    name: index === 2 ? 'the node with the keys killed' : 'another node killed',
    strike: async () => nodes[index]?.end('SIGKILL'),
    heal: async () => nodes[index]?.start(),
  }));
  test.each(faults)('keep their promises: $name', async (fault) => {
    report(await runFault(fleet, { ...fault, prepare: healthy }));
  });
});
