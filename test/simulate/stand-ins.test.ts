import { type InstanceContext, simulate, simulatedPostgres } from 'contentgen/simulate';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import { describe, expect, test } from 'vitest';
import { dedupeContract } from '../webhooks/dedupe-contract.ts';
import { openDisk } from './open-disk.ts';

let time = 1_767_225_600_000;
const clock = { now: () => time };
const expire = () => {
  time += 60_000;
};

describe('the stand-in for PostgreSQL behaves like the database', () => {
  dedupeContract(() => postgresDedupe(simulatedPostgres(openDisk(), clock)), expire);
});

/** Runs what each instance writes, while it crashes. */
const crashing = (
  seeds: number,
  app: (context: InstanceContext) => Promise<{ write(): Promise<void> }>,
) =>
  simulate({
    app,
    seeds,
    chaos: { crash: 0.1 },
    receive: () => () => new Response(),
    run: ({ app: journal }) => journal.write(),
  });

test('a crash loses only the latest writes that have not been synced', async () => {
  const found = new Set<string>();
  const app = async ({ disk }: InstanceContext) => {
    const db = disk.open('journal', { sync: 'manual' });
    found.add((await db.keys()).join(''));
    return {
      async write() {
        for (const number of [1, 2, 3]) await db.set(`${number}`, true);
        // A crash can happen here, too.
        await db.get('3');
      },
    };
  };
  await crashing(400, app);
  expect([...found].sort()).toEqual(['', '1', '12', '123']);
});

test('without manual syncing, a crash loses no write', async () => {
  const lost: string[] = [];
  const app = async ({ disk }: InstanceContext) => {
    const db = disk.open('journal');
    const confirmed = disk.open('confirmed');
    for (const key of await confirmed.keys()) if (!(await db.get(key))) lost.push(key);
    return {
      async write() {
        for (const number of [1, 2, 3]) {
          await db.set(`${number}`, true);
          await confirmed.set(`${number}`, true);
        }
      },
    };
  };
  const { coverage } = await crashing(100, app);
  expect(Object.keys(coverage)).toContain('crash after × journal.set');
  expect(lost).toEqual([]);
});

test('synced writes survive, even if later writes are lost', async () => {
  const states: string[] = [];
  const app = async ({ disk }: InstanceContext) => {
    const db = disk.open('journal', { sync: 'manual' });
    const synced = disk.open('synced');
    const [left, isSynced] = [await db.keys(), await synced.get('yes')];
    if (isSynced) states.push(left.join(''));
    return {
      async write() {
        await db.set('1', true);
        await db.set('2', true);
        await db.sync();
        await synced.set('yes', true);
        await db.set('3', true);
        await db.set('4', true);
        await synced.set('later', true);
      },
    };
  };
  await crashing(400, app);
  expect([...new Set(states)].sort()).toEqual(['12', '123', '1234']);
});
