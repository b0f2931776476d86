// Deliveries compared with a bare loop, in a separate process: `node bench/delivery/throughput.ts [rounds]`.
// Measures the CPU time of this process and all its threads, including garbage collection. The receiver runs in another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { createOutbound } from '../../mock-server/outbound/transport.ts';
import { sqliteStore } from '../../mock-server/stores/sqlite.ts';
import { standardScheme } from '../../src/signing/standard-scheme.ts';
import { secretOf } from '../../test/mock-server/delivery/delivery-setup.ts';
import { engine, payload, startReceiver } from './setup.ts';

const messages = 3000;
// What the server makes at once to one endpoint.
const concurrency = 9;
const rounds = Number(process.argv[2] ?? 20);
/** Unmeasured rounds at the start, in which the code is compiled. */
const warmUp = 3;

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

interface Cost {
  /** CPU microseconds per message. */
  readonly cpu: number;
  /** Microseconds per message. */
  readonly wall: number;
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return {
    cpu: (user + system) / messages,
    wall: ((performance.now() - start) * 1000) / messages,
  };
}

const names = ['memory', 'file'] as const;
type Name = (typeof names)[number];

const results: Readonly<Record<'bare' | Name, Cost>>[] = [];
for (let round = -warmUp; round < rounds; round += 1) {
  const result = {
    bare: await costOf(bareLoop),
    memory: await costOf(() => engines.memory.deliver('wh_1', messages)),
    file: await costOf(() => engines.file.deliver('wh_1', messages)),
  };
  if (round >= 0) results.push(result);
}
await pool.close();
receiver.stop();
file.close();
rmSync(folder, { recursive: true, force: true });

const sorted = (values: number[]) => values.sort((a, b) => a - b);
const at = (values: number[], share: number) =>
  sorted(values)[Math.floor((values.length - 1) * share)] ?? 0;

function figures(name: Name, kind: keyof Cost) {
  const ratios = results.map((result) => result.bare[kind] / result[name][kind]);
  const costs = (of: 'bare' | Name) => results.map((result) => result[of][kind]);
  return {
    bare: at(costs('bare'), 0.5),
    whole: at(costs(name), 0.5),
    ratio: at(ratios, 0.5),
    low: at(ratios, 0.1),
    high: at(ratios, 0.9),
  };
}

for (const name of names) {
  for (const kind of ['cpu', 'wall'] as const) {
    const { bare, whole, ratio, low, high } = figures(name, kind);
    const times = `bare undici loop ${bare.toFixed(1)}, delivery engine ${whole.toFixed(1)}`;
    const spread = `${low.toFixed(2)} to ${high.toFixed(2)} in 80 % of ${rounds} rounds`;
    console.log(
      `${name}, ${kind} per message (µs): ${times}, ratio ${ratio.toFixed(2)} (${spread})`,
    );
  }
}
const holds = figures('memory', 'cpu').ratio >= 0.6;
console.log(`${holds ? 'ok ' : 'NO '} a delivery costs at most 1.67 times a bare loop`);
process.exit();
