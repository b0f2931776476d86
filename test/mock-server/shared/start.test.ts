import { describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import { withPostgres } from '../../support/servers.ts';
import { startInstance } from './processes.ts';

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
});
