import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withRedis } from '../support/servers.ts';
import { type Fault, type Fleet, runFault, startFleet } from './matrix.ts';
import { type SilentProxy, startProxy } from './proxy.ts';
import { report } from './report.ts';

// Every write is on disk before Redis responds, so a restart forgets nothing.
const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];

describe.runIf(needs('redis'))('receivers over Redis', () => {
  let server: ThrowAwayServer;
  let replica: ThrowAwayServer | undefined;
  let proxy: SilentProxy;
  let fleet: Fleet;

  beforeAll(async () => {
    server = await withRedis(durable);
    proxy = await startProxy(server.port);
    const url = `redis://127.0.0.1:${proxy.port}`;
    fleet = await startFleet({ store: 'Redis', client: 'node-redis', url });
  });
  afterAll(async () => {
    await fleet?.stop();
    proxy?.close();
    await Promise.all([server?.stop(), replica?.stop()]);
  });

  /** A separate connection that bypasses the proxy. */
  const connect = (url: string) =>
    createClient({ url })
      .on('error', () => {})
      .connect();
  const configure = async (name: string, value: string) => {
    const client = await connect(server.url);
    await client.configSet(name, value);
    client.destroy();
  };
  const terminate = async () => {
    const client = await connect(server.url);
    await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal']);
    client.destroy();
  };
  let last: Awaited<ReturnType<typeof connect>>;

  const faults: Fault[] = [
    {
      name: 'restarted',
      strike: () => server.end('SIGTERM'),
      heal: () => server.start(),
    },
    {
      name: 'killed',
      strike: () => server.end('SIGKILL'),
      heal: () => server.start(),
    },
    {
      name: 'connections terminated',
      strike: terminate,
    },
    {
      name: 'connections exhausted',
      strike: async () => {
        last = await connect(server.url);
        await last.configSet('maxclients', '1');
        await last.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal']);
      },
      heal: async () => {
        await last.configSet('maxclients', '1000');
        last.destroy();
      },
    },
    {
      name: 'memory full (`noeviction`)',
      strike: () => configure('maxmemory', '1'),
      heal: () => configure('maxmemory', '0'),
    },
    {
      name: 'replica takes over',
      async prepare() {
        replica = await withRedis([...durable, '--replicaof', '127.0.0.1', String(server.port)]);
        const client = await connect(replica.url);
        await expect.poll(() => client.info('replication')).toContain('master_link_status:up');
        client.destroy();
      },
      strike: () => server.end('SIGKILL'),
      async heal() {
        const client = await connect(replica?.url ?? '');
        await client.sendCommand(['REPLICAOF', 'NO', 'ONE']);
        client.destroy();
        proxy.redirect(replica?.port ?? 0);
      },
      mayRepeat: 'repeated if the replica lacks the last writes',
    },
    {
      name: 'receiver killed',
      prepare: () => fleet.replace(true),
      strike: (all) => all.replace(),
      mayRepeat: 'at most twice, at the done mark',
    },
  ];

  test.each(faults)('keep their promises: $name', async (fault) => {
    report(await runFault(fleet, fault));
  });
});
