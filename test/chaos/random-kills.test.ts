import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { withPostgres, withRedis } from '../support/servers.ts';
import { countEffects, startFleet } from './matrix.ts';
import { deliver } from './receiver.ts';
import { report } from './report.ts';

const rounds = process.env['CHAOS_REPORT'] ? 8 : 2;
const perRound = 12;

/** A linear congruential generator: the same moments in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describe.each(['redis', 'postgres'] as const)('receivers over %s', (kind) => {
  test.runIf(needs(kind))('killed at random points lose nothing', async () => {
    const server = await (kind === 'redis' ? withRedis(['--appendonly', 'yes']) : withPostgres());
    onTestFinished(() => server.stop());
    const fleet = await startFleet({ store: kind, kind, url: server.url }, 2000);
    onTestFinished(() => fleet.stop());
    const random = seeded(7);
    const ids: string[] = [];
    let slowest = 0;
    for (let round = 0; round < rounds; round++) {
      const sent = Array.from({ length: perRound }, async (_, n) => {
        const id = `msg_${round}_${n}`;
        ids.push(id);
        await delay(random() * 200);
        return deliver(() => fleet.receivers[0]?.url ?? '', id);
      });
      await delay(random() * 200);
      await fleet.replace();
      const attempts = (await Promise.all(sent)).flat();
      slowest = Math.max(slowest, ...attempts.map(({ ms }) => ms));
    }
    const effects = await countEffects(fleet);
    const counts = ids.map((id) => effects.get(id) ?? 0);
    expect(Math.min(...counts)).toBe(1);
    // One kill strikes a delivery once: at most one repetition.
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    report({
      store: kind === 'redis' ? 'Redis' : 'PostgreSQL',
      fault: `receiver killed at ${rounds} random points, ${ids.length} deliveries`,
      responses: ['', '', ''],
      promise: `${counts.filter((count) => count > 1).length} repeated, none lost`,
      slowestMs: slowest,
    });
  });
});
