import { Pool } from 'pg';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPgBouncer, withPostgres } from '../support/servers.ts';
import {
  committedEffects,
  type Fault,
  type Fleet,
  runFault,
  startFleet,
  type TestBed,
} from './matrix.ts';
import { type SilentProxy, startProxy } from './proxy.ts';
import { report } from './report.ts';

describe.runIf(needs('postgres'))('receivers over PostgreSQL', () => {
  let server: ThrowAwayServer;
  let admin: Pool;

  beforeAll(async () => {
    server = await withPostgres();
    admin = new Pool({ connectionString: server.url, max: 2 });
    admin.on('error', () => {});
    admin.on('connect', (client) => client.on('error', () => {}));
    await admin.query('CREATE TABLE effects (id text)');
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  const testBed = (store: string, url: string): TestBed => ({
    store,
    client: 'pg',
    url,
    committed: () => committedEffects(admin),
  });
  const restart = (signal: NodeJS.Signals): Pick<Fault, 'strike' | 'heal'> => ({
    strike: () => server.end(signal),
    heal: () => server.start(),
  });
  const terminate = () =>
    admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
  /** What a client sees on a replica that has not been promoted yet. */
  const readOnly = async (value: 'on' | 'off') => {
    const client = await admin.connect();
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await client.query('SELECT pg_reload_conf()');
    client.release(true);
  };

  describe('directly', () => {
    let proxy: SilentProxy;
    let fleet: Fleet;

    beforeAll(async () => {
      proxy = await startProxy(server.port);
      const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
      fleet = await startFleet(testBed('PostgreSQL', url));
    });
    afterAll(async () => {
      await fleet?.stop();
      proxy?.close();
    });

    const faults: Fault[] = [
      { name: 'restarted', ...restart('SIGINT') },
      { name: 'killed', ...restart('SIGQUIT') },
      { name: 'connections terminated', strike: terminate },
      {
        name: 'connections exhausted',
        strike: ({ receivers }) => Promise.all(receivers.map((receiver) => receiver.exhaust())),
        heal: async ({ receivers }) => {
          for (const receiver of receivers) receiver.relax();
        },
      },
      { name: 'read-only', strike: () => readOnly('on'), heal: () => readOnly('off') },
      {
        name: 'receiver killed',
        strike: (all) => all.replace(),
        mayRepeat: 'at most twice, at the done mark; once with `commitWith`',
      },
    ];
    test.each(faults)('keep their promises: $name', async (fault) => {
      report(await runFault(fleet, fault));
    });
  });

  describe.runIf(needs('pgbouncer'))('through PgBouncer in transaction mode', () => {
    let bouncer: ThrowAwayServer;
    let fleet: Fleet;

    beforeAll(async () => {
      bouncer = await withPgBouncer(server.port);
      fleet = await startFleet(testBed('PostgreSQL through PgBouncer', bouncer.url));
    });
    afterAll(async () => {
      await fleet?.stop();
      await bouncer?.stop();
    });

    const faults: Fault[] = [
      { name: 'PgBouncer killed', strike: () => bouncer.end(), heal: () => bouncer.start() },
      { name: 'connections terminated', strike: terminate },
      { name: 'killed', ...restart('SIGQUIT') },
    ];
    test.each(faults)('keep their promises: $name', async (fault) => {
      report(await runFault(fleet, fault));
    });
  });
});
