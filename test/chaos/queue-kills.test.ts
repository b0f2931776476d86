import { setTimeout as delay } from 'node:timers/promises';
import { makeWorkerUtils } from 'graphile-worker';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { createClient } from 'redis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPostgres, withRedis } from '../support/servers.ts';
import { deliver, type QueueProcessOptions, type Supervised, supervise } from './queue-fleet.ts';
import { report } from './report.ts';
import { chaosSeed, seeded } from './seeded.ts';

type Engine = QueueProcessOptions['engine'];

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** `node scripts/chaos.mjs` sends 10 000. */
const count = Number(process.env['CONTENTGEN_QUEUE_DELIVERIES'] ?? 1000);
const kills = 10;
const restarts = 2;
const atOnce = 16;

describe.each([
  ['graphile-worker', 'PostgreSQL', 1],
  ['pg-boss', 'PostgreSQL', 1],
  // Its mark cannot commit with the effect: each kill can repeat what the worker was handling.
  ['bullmq', 'Redis', 2],
] as const)('%s over %s', (engine, store, most) => {
  test.runIf(needs(store === 'Redis' ? 'redis' : 'postgres'))(
    `loses none of ${count} deliveries in ten kills and two restarts of its store, and has each effect at most ${most} ×`,
    { timeout: 1_800_000 },
    async () => {
      const server = await (store === 'Redis'
        ? withRedis(['--appendonly', 'yes'])
        : withPostgres());
      onTestFinished(() => server.stop());
      await prepare(engine, server.url);
      const fleet = await startFleet(engine, server.url);
      onTestFinished(async () => void (await Promise.all(fleet.map((one) => one.stop()))));

      const urls = () => fleet.flatMap(({ url }) => (url ? [url] : []));
      const ids = Array.from({ length: count }, (_, n) => `msg_${n}`);
      const plan = strikes(fleet, server);
      let accepted = 0;
      let slowestMs = 0;
      const queue = ids.values();
      const send = async () => {
        for (const id of queue) {
          slowestMs = Math.max(slowestMs, await deliver(urls, id, secret));
          accepted += 1;
          plan.accepted(accepted);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, send));
      await plan.struck();

      let effects = new Map<string, number>();
      await vi.waitUntil(
        async () => {
          effects = await countEffects(store, server.url).catch(() => effects);
          return effects.size === count;
        },
        { timeout: 600_000, interval: 500 },
      );
      const times = ids.map((id) => effects.get(id) ?? 0);
      expect(Math.min(...times)).toBe(1);
      expect(Math.max(...times)).toBeLessThanOrEqual(most);
      const repeated = times.filter((one) => one > 1).length;
      if (most > 1) expect(repeated).toBeLessThanOrEqual(kills * atOnce);
      report({
        store,
        client: engine,
        fault: `receivers and workers killed ${kills} times, the store ${restarts} times, at random, ${count} deliveries`,
        responses: ['', '', ''],
        promise: `${repeated} repeated, none lost`,
        slowestMs,
      });
    },
  );
});

/** Creates what the engines and their workers need. */
async function prepare(engine: Engine, url: string): Promise<void> {
  if (engine === 'bullmq') return;
  const pool = new pg.Pool({ connectionString: url });
  await pool.query('CREATE TABLE effects (id text)');
  if (engine === 'graphile-worker') {
    const utils = await makeWorkerUtils({ pgPool: pool });
    await utils.migrate();
    await utils.release();
  } else {
    const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
    await boss.start();
    await boss.createQueue('contentgen');
    await boss.stop({ graceful: false });
  }
  await pool.end();
}

/** Two receivers and two workers. */
function startFleet(engine: Engine, url: string): Promise<Supervised[]> {
  const roles = ['receiver', 'receiver', 'worker', 'worker'] as const;
  return Promise.all(roles.map((role) => supervise({ engine, role, url, secret })));
}

/** Kills processes, and kills and restarts the store, at random moments between the first delivery and the last. */
function strikes(fleet: readonly Supervised[], server: ThrowAwayServer) {
  const random = seeded();
  const killOne = () => {
    const victim = fleet[Math.floor(random() * fleet.length)];
    return async () => victim?.kill();
  };
  let restarting = Promise.resolve();
  const restart = () => {
    restarting = restarting.then(() => server.end()).then(() => server.start());
    return restarting;
  };
  const plan = [...Array.from({ length: kills }, killOne), ...Array(restarts).fill(restart)]
    .map((strike) => ({ strike, after: Math.floor(random() * count * 0.95), ms: random() * 300 }))
    .sort((a, b) => a.after - b.after);
  const moments = plan.map(({ after, ms }) => `${after}+${Math.round(ms)} ms`).join(', ');
  console.log(`CONTENTGEN_CHAOS_SEED=${chaosSeed}: strikes after ${moments}`);
  const struck: Promise<unknown>[] = [];
  return {
    accepted(total: number) {
      while (plan[0] && plan[0].after < total) {
        const { strike, ms } = plan.shift() as (typeof plan)[number];
        struck.push(delay(ms).then(strike));
      }
    },
    struck: () => Promise.all(struck),
  };
}

async function countEffects(store: string, url: string): Promise<Map<string, number>> {
  if (store === 'Redis') {
    const client = await createClient({ url }).connect();
    const keys = await client.keys('effect:*');
    const values = keys.length > 0 ? await client.mGet(keys) : [];
    client.destroy();
    return new Map(keys.map((key, n) => [key.slice('effect:'.length), Number(values[n])]));
  }
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT id, count(*)::int AS times FROM effects GROUP BY id');
  await client.end();
  return new Map(rows.map(({ id, times }) => [id, times]));
}
