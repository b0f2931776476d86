import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { postgresStore } from '../../../mock-server/stores/postgres.ts';
import { needs } from '../../support/needs.ts';
import { withPostgres } from '../../support/servers.ts';
import { start } from '../cli/command.ts';
import { startInstance, until } from './processes.ts';

describe.runIf(needs('postgres'))('several processes on one PostgreSQL database', () => {
  test('three that start at once on an empty database agree on one leader and one organization', async () => {
    const postgres = await withPostgres();
    onTestFinished(() => postgres.stop());
    const database = postgres.database('together');
    const instances = await Promise.all([1, 2, 3].map(() => startInstance(database)));
    const facts = instances.map(({ mock }) => `${mock.organization} ${mock.signingSecret}`);
    expect(new Set(facts).size).toBe(1);
    const leading = await Promise.all(instances.map(({ leads }) => leads()));
    expect(leading.filter(Boolean)).toHaveLength(1);
    expect(instances.filter(({ mock }) => mock.adminKey !== null)).toHaveLength(1);
    const key = String(instances.find(({ mock }) => mock.memberKey)?.mock.memberKey);
    for (const instance of instances) {
      expect(await instance.client(key).usage.get()).toMatchObject({ used: 0 });
    }
  });

  test('a standby names the leader’s address when it knows one', async () => {
    const postgres = await withPostgres();
    onTestFinished(() => postgres.stop());
    const database = postgres.database('silent');
    const pool = new pg.Pool({ connectionString: database, max: 1 });
    const leader = createMockServer({ store: postgresStore(pool) });
    onTestFinished(async () => {
      await leader.close();
      await pool.end();
    });
    await leader.leadership?.known(10_000);
    const role = () =>
      start(['mock', '--port', '0', '--log', 'none', '--data', database]).line(/^ {2}Role/);
    expect(await role()).toMatch(/^ {2}Role +standby$/);
    const served = await serve(leader, { port: 0 });
    onTestFinished(() => served.close({ graceMs: 0 }));
    const named = new RegExp(`^ {2}Role +standby for ${served.url}$`);
    await until(async () => named.test(await role()));
  });
});
