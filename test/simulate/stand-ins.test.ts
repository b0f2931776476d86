import { type InstanceContext, simulate, simulatedPostgres } from 'contentgen/simulate';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../mock-server/simulate/disk.ts';
import { type DiskGate, SharedStore } from '../../mock-server/simulate/disk-store.ts';
import { dedupeContract } from '../webhooks/dedupe-contract.ts';

/** Lets every call happen at once. */
const gate: DiskGate = {
  async call(what, work) {
    const outcome = work();
    if (outcome && 'result' in outcome) return outcome.result;
    throw new Error(`${what} is not done.`);
  },
  onCrash: () => () => {},
};
const store = () => openStore('db', new SharedStore({ unpark() {}, changed() {} }), gate);

let time = 1_767_225_600_000;
const clock = { now: () => time };
const expire = () => {
  time += 60_000;
};

describe('the stand-in for PostgreSQL behaves like the database', () => {
  dedupeContract(() => postgresDedupe(simulatedPostgres(store(), clock)), expire);
});

test('a crash loses no write', async () => {
  const lost: string[] = [];
  const { coverage } = await simulate({
    async app({ disk }: InstanceContext) {
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
    },
    seeds: 100,
    chaos: { crash: 0.1 },
    receive: () => () => new Response(),
    run: ({ app }) => app.write(),
  });
  expect(Object.keys(coverage)).toContain('crash after × journal.set');
  expect(lost).toEqual([]);
});
