// Deliveries compared with a bare loop, in a separate process: `node --expose-gc bench/delivery/throughput.ts [rounds]`.
// Measures the CPU time of this process and all its threads, including garbage collection. The receiver runs in another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { createOutbound } from '../../mock-server/outbound/transport.ts';
import { sqliteStore } from '../../mock-server/stores/sqlite.ts';
import { standardScheme } from '../../src/signing/standard-scheme.ts';
import { secretOf } from '../../test/mock-server/delivery/delivery-setup.ts';
import { inTurns, median, quantile } from '../turns.ts';
import { engine, payload, startReceiver } from './setup.ts';

const messages = 3000;
// What the server makes at once to one endpoint.
const concurrency = 9;
const rounds = Number(process.argv[2] ?? 20);

const receiver = await startReceiver();
const pool = new Pool(receiver.url);
const bytes = Buffer.from(JSON.stringify(payload));
const scheme = standardScheme();

/** The simplest sender: the same body, headers, signature and concurrency, without records or checks. */
async function bareLoop(): Promise<void> {
  let left = messages;
  const one = async () => {
    while (left-- > 0) {
      const headers = await scheme.sign({
        id: `msg_01kdvdna00${String(left).padStart(16, '0')}`,
        timestamp: Math.floor(Date.now() / 1000),
        body: bytes,
        secrets: [secretOf('W')],
      });
      const response = await pool.request({
        path: '/hook',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'contentgen-webhooks/0.0.0',
          ...headers,
        },
        body: bytes,
      });
      await response.body.text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}

const folder = mkdtempSync(join(tmpdir(), 'contentgen-bench-'));
const file = sqliteStore(join(folder, 'data.db'));
const engines = { memory: engine(), file: engine(createOutbound().send, file) };
for (const { webhook } of Object.values(engines)) webhook({ url: `${receiver.url}/hook` });

const { bare, ...ours } = await inTurns(
  {
    bare: () => bareLoop,
    memory: () => () => engines.memory.deliver('wh_1', messages),
    file: () => () => engines.file.deliver('wh_1', messages),
  },
  { rounds, calls: 1, warmUp: 3 },
);
await pool.close();
receiver.stop();
file.close();
rmSync(folder, { recursive: true, force: true });

const perMessage = (costs: number[]) => (median(costs) / messages).toFixed(1);
const ratiosOf = (costs: number[]) => costs.map((cost, round) => (bare[round] ?? 0) / cost);

for (const [name, costs] of Object.entries(ours)) {
  const ratios = ratiosOf(costs);
  const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => quantile(ratios, share).toFixed(2));
  console.log(
    `${name}, CPU per message (µs): bare undici loop ${perMessage(bare)}, delivery engine ${perMessage(costs)}, ratio ${middle} (${low} to ${high} in 80 % of ${rounds} rounds)`,
  );
}
const holds = median(ratiosOf(ours.memory)) >= 0.6;
console.log(`${holds ? 'ok ' : 'NO '} a delivery costs at most 1.67 times a bare loop`);
process.exit();
