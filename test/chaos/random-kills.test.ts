import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { withPostgres, withRedis } from '../support/servers.ts';
import type { ClientName } from './clients.ts';
import { committedEffects, effectsIn } from './matrix.ts';
import { deliver, type Receiver, startReceiver } from './receiver.ts';
import { report } from './report.ts';
import { chaosSeed, seeded } from './seeded.ts';

/** How often a receiver is killed. */
const kills = Number(process.env['CONTENTGEN_KILLS'] ?? (process.env['CHAOS_REPORT'] ? 100 : 2));
const perKill = 22;
/** The folder of an earlier version of this project, which one of three receivers then runs. */
const earlier = process.env['CONTENTGEN_EARLIER'];

interface Way {
  readonly client: ClientName;
  readonly store: string;
  /** Effect and mark are written in one transaction. */
  readonly commits: boolean;
}
const ways: Way[] = [
  { client: 'node-redis', store: 'Redis', commits: false },
  { client: 'pg', store: 'PostgreSQL', commits: false },
  { client: 'pg', store: 'PostgreSQL', commits: true },
  { client: 'postgres.js', store: 'PostgreSQL', commits: true },
];
const replicas = 3;

describe.each(ways)(
  'receivers over $client, commitWith: $commits,',
  ({ client, store, commits }) => {
    test.runIf(needs(store === 'Redis' ? 'redis' : 'postgres'))(
      'killed at random points lose no delivery, and with commitWith repeat none',
      { timeout: 240_000 + 5_000 * kills },
      async () => {
        const { url, countEffects, ledger } = await testBedOf(client, commits);
        const common = { client, url, ledger, leaseMs: 2000, hasDefaults: false, commits };
        const start = (n: number) =>
          startReceiver({ ...common, stops: false, lingerMs: 30 }, n === 1 ? earlier : undefined);
        const receivers = await Promise.all(Array.from({ length: replicas }, (_, n) => start(n)));
        onTestFinished(async () => {
          for (const receiver of receivers) await receiver.kill();
        });
        console.log(`CONTENTGEN_CHAOS_SEED=${chaosSeed}`);
        const random = seeded();
        const any = () => (receivers[Math.floor(random() * replicas)] as Receiver).url;
        const ids: string[] = [];
        let slowest = 0;
        for (let kill = 0; kill < kills; kill++) {
          const round = Array.from({ length: perKill }, (_, n) => `msg_${kill}_${n}`);
          ids.push(...round);
          const sent = [...round, ...round].map(async (id) => {
            await delay(random() * 200);
            return deliver(any, id);
          });
          await delay(random() * 200);
          const victim = Math.floor(random() * replicas);
          await receivers[victim]?.kill();
          receivers[victim] = await start(victim);
          const attempts = (await Promise.all(sent)).flat();
          slowest = Math.max(slowest, ...attempts.map(({ ms }) => ms));
        }
        // Each is marked as done: no later copy, in any process, runs its callback again.
        for (const id of ids) expect(await deliver(any, id)).toMatchObject([{ status: 200 }]);
        for (const receiver of receivers) await receiver.kill();
        const effects = await countEffects();
        const counts = ids.map((id) => effects.get(id) ?? 0);
        expect(Math.min(...counts)).toBe(1);
        // At most one kill strikes a delivery: at most one repetition, and none if effect and mark commit together.
        expect(Math.max(...counts)).toBeLessThanOrEqual(commits ? 1 : 2);
        report({
          store,
          client,
          fault: `one of ${replicas} receivers killed, ${kills} times, ${ids.length} deliveries, 2 copies each${commits ? ', `commitWith`' : ''}`,
          responses: ['', '', ''],
          promise: `${counts.filter((count) => count > 1).length} repeated, none lost`,
          slowestMs: slowest,
        });
      },
    );
  },
);

/** A store, the file of its effects, and how often each of them has happened. */
async function testBedOf(client: ClientName, commits: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-kills-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ledger = join(folder, 'ledger');
  writeFileSync(ledger, '');
  const server = await (client === 'node-redis'
    ? withRedis(['--appendonly', 'yes'])
    : withPostgres());
  onTestFinished(() => server.stop());
  const { url } = server;
  if (!commits) return { url, ledger, countEffects: async () => effectsIn(ledger) };
  const admin = new Pool({ connectionString: url, max: 1 });
  onTestFinished(() => admin.end());
  await admin.query('CREATE TABLE effects (id text)');
  return { url, ledger, countEffects: () => committedEffects(admin) };
}
