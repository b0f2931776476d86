import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleEvent } from 'contentgen/testing';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { withPostgres, withRedis } from '../support/servers.ts';
import { deliverUntilDone, startReceiver } from './receiver-fleet.ts';

/** Every event once, in mixed order. */
const seconds = Array.from({ length: 30 }, (_, n) => (n * 7) % 30);

describe.each(['redis', 'postgres'] as const)('latestOnly in two processes over %s', (store) => {
  test.runIf(needs(store))(
    'handles one event at a time, and never ends with an older one',
    async () => {
      const server = await (store === 'redis' ? withRedis() : withPostgres());
      onTestFinished(() => server.stop());
      if (store === 'postgres') await createLedger(server.url);
      const folder = mkdtempSync(join(tmpdir(), 'contentgen-latest-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'effects');
      const receivers = await Promise.all([1, 2].map(() => startReceiver(server.url, file)));
      onTestFinished(async () => {
        for (const receiver of receivers) await receiver.kill();
      });
      const [one, other] = receivers.map(({ url }) => url) as [string, string];

      await Promise.all(
        seconds.map((second, index) => {
          const { payload } = sampleEvent('data_updated', {
            records: second,
            occurredAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
          });
          const urls = index % 2 ? [one, other] : [other, one];
          return deliverUntilDone(() => urls, `msg_${second}`, payload);
        }),
      );

      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      const handled = lines.filter((_, index) => index % 2 === 0).map((line) => line.split(' ')[1]);
      expect(lines).toEqual(handled.flatMap((second) => [`begin ${second}`, `end ${second}`]));
      const order = handled.map(Number);
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(order.at(-1)).toBe(29);
    },
  );
});

async function createLedger(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query('CREATE TABLE ledger (what text, id text)');
  await pool.end();
}
