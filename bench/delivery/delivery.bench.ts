import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { engine, startReceiver } from './setup.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const receiver = await startReceiver();
afterAll(() => receiver.stop());

interface Figures {
  readonly bare: number;
  readonly whole: number;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

const run = promisify(execFile);

test('signed messages to one receiver, 9 at once', { timeout: 300_000 }, async () => {
  // Runs in a separate process: the test runner would transform our modules, but not those of the bare loop.
  const script = fileURLToPath(new URL('throughput.ts', import.meta.url));
  const { stdout } = await run(process.execPath, ['--no-warnings', script]);
  type Both = Readonly<Record<'cpu' | 'wall', Figures>>;
  const { memory, file, rounds } = JSON.parse(stdout) as {
    readonly memory: Both;
    readonly file: Both;
    readonly rounds: number;
  };
  const line = (name: string, { bare, whole, ratio, low, high }: Figures) =>
    `${name} per message (µs, median): bare undici loop ${bare.toFixed(1)}, delivery engine ${whole.toFixed(1)}, ` +
    `ratio ${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)} in 80 % of ${rounds} rounds)`;
  for (const [store, { cpu, wall }] of Object.entries({ memory, file })) {
    console.log(`${store}: ${line('CPU', cpu)}\n${store}: ${line('time', wall)}`);
  }
  expect(memory.cpu.ratio).toBeGreaterThanOrEqual(0.6);
  expect(file.cpu.ratio).toBeGreaterThanOrEqual(0.35);
});

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test('memory stays flat over 100 000 deliveries', { timeout: 300_000 }, async () => {
  const full = engine();
  full.webhook({ url: `${receiver.url}/hook` });
  const samples: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    await full.deliver('wh_1', 10_000);
    samples.push(heap());
  }
  console.log(`heap after each 10 000 (MB): ${samples.map(megabytes).join(' ')}`);
  const [, second = 0] = samples;
  // The first rounds fill the log, which keeps the newest 10 000 entries.
  expect(samples.at(-1) ?? 0).toBeLessThan(second * 1.25 + 10 * 1024 * 1024);
});
