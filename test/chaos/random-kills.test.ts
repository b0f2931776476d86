import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { withPostgres, withRedis } from '../support/servers.ts';
import { committedEffects, countEffects, startFleet, type TestBed } from './matrix.ts';
import { deliver } from './receiver.ts';
import { report } from './report.ts';
import { chaosSeed, seeded } from './seeded.ts';

/** How often the receivers are killed. */
const rounds = Number(process.env['CONTENTGEN_KILLS'] ?? (process.env['CHAOS_REPORT'] ? 200 : 2));
const perRound = 12;

interface Way {
  readonly client: 'node-redis' | 'pg';
  readonly commits: boolean;
}
const ways: (Way & { name: string })[] = [
  { name: 'over Redis', client: 'node-redis', commits: false },
  { name: 'over PostgreSQL', client: 'pg', commits: false },
  { name: 'over PostgreSQL with commitWith', client: 'pg', commits: true },
];

describe.each(ways)('receivers $name', ({ client, commits }) => {
  const need = client === 'pg' ? 'postgres' : 'redis';

  test.runIf(needs(need))(
    'killed at random points lose nothing',
    { timeout: 240_000 + 5_000 * rounds },
    async () => {
      const server = await (client === 'pg' ? withPostgres() : withRedis(['--appendonly', 'yes']));
      onTestFinished(() => server.stop());
      const testBed = await testBedOf(client, server.url);
      const fleet = await startFleet(testBed, { leaseMs: 2000, lingerMs: 30, commits });
      onTestFinished(() => fleet.stop());
      const url = () => fleet.receivers[0]?.url ?? '';
      console.log(`CONTENTGEN_CHAOS_SEED=${chaosSeed}`);
      const random = seeded();
      const ids: string[] = [];
      let slowest = 0;
      for (let round = 0; round < rounds; round++) {
        const sent = Array.from({ length: perRound }, async (_, n) => {
          const id = `msg_${round}_${n}`;
          ids.push(id);
          await delay(random() * 200);
          return deliver(url, id);
        });
        await delay(random() * 200);
        await fleet.replace();
        const attempts = (await Promise.all(sent)).flat();
        slowest = Math.max(slowest, ...attempts.map(({ ms }) => ms));
      }
      const effects = await countEffects(fleet);
      const counts = ids.map((id) => effects.get(id) ?? 0);
      expect(Math.min(...counts)).toBe(1);
      // At most one kill strikes a delivery: at most one repetition, and none if effect and mark commit together.
      expect(Math.max(...counts)).toBeLessThanOrEqual(commits ? 1 : 2);
      // Each is marked as done: no later copy, in any process, runs its callback again.
      await fleet.replace();
      for (const id of ids) expect(await deliver(url, id)).toMatchObject([{ status: 200 }]);
      expect(await countEffects(fleet)).toEqual(effects);
      report({
        store: client === 'pg' ? 'PostgreSQL' : 'Redis',
        client,
        fault: `receiver killed at ${rounds} random points, ${ids.length} deliveries${commits ? ', `commitWith`' : ''}`,
        responses: ['', '', ''],
        promise: `${counts.filter((count) => count > 1).length} repeated, none lost`,
        slowestMs: slowest,
      });
    },
  );
});

async function testBedOf(client: Way['client'], url: string): Promise<TestBed> {
  if (client === 'node-redis') return { store: 'Redis', client, url };
  const admin = new Pool({ connectionString: url, max: 1 });
  onTestFinished(() => admin.end());
  await admin.query('CREATE TABLE effects (id text)');
  return { store: 'PostgreSQL', client, url, committed: () => committedEffects(admin) };
}
