import { execFile } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import type { OutboundOutcome, OutboundRequest } from '../../mock-server/domain/ports.ts';
import { createOutbound } from '../../mock-server/outbound/transport.ts';
import { driveInRealTime } from '../../mock-server/platform/timers.ts';
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

test('signed messages to one receiver, 50 at once', { timeout: 300_000 }, async () => {
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
  expect(memory.cpu.ratio).toBeGreaterThanOrEqual(0.5);
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

test('10 000 endpoints, one percent dead: the live ones are not delayed', {
  timeout: 300_000,
}, async () => {
  // Accepts connections and never responds: the worst kind of dead endpoint.
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const deadUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

  const run = async (deadShare: number) => {
    const outbound = createOutbound();
    const queuedAt = new Map<string, number>();
    const latencies: number[] = [];
    const full = engine(async (request, options) => {
      const outcome = await outbound.send(request, options);
      const id = request.headers['webhook-id'] ?? '';
      if ('status' in outcome) latencies.push(performance.now() - (queuedAt.get(id) ?? 0));
      return outcome;
    });
    const endpoints = 10_000;
    const dead = (n: number) => deadShare > 0 && n % (1 / deadShare) === 0;
    for (let n = 0; n < endpoints; n += 1) {
      full.webhook({ id: `wh_${n}`, url: `${dead(n) ? deadUrl : receiver.url}/${n}` });
    }
    const { scheduler } = full.context;
    // Two messages per endpoint, at a steady rate.
    for (let n = 0; n < endpoints * 2; ) {
      for (let burst = 0; burst < 20; burst += 1, n += 1) {
        const { messageId } = full.enqueue(`wh_${n % endpoints}`);
        queuedAt.set(messageId, performance.now());
      }
      scheduler.runDue();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const live = endpoints * 2 * (1 - deadShare);
    while (latencies.length < live) await new Promise((resolve) => setTimeout(resolve, 5));
    scheduler.abandon(new Error('The benchmark is over.'));
    await outbound.close();
    latencies.sort((a, b) => a - b);
    const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
    return { median: at(0.5), p99: at(0.99) };
  };

  await run(0);
  const allAlive = await run(0);
  const someDead = await run(0.01);
  silent.close();
  console.log('latency from queued to delivered (ms)', { allAlive, someDead });
  expect(someDead.median).toBeLessThan(allAlive.median * 2 + 5);
  expect(someDead.p99).toBeLessThan(allAlive.p99 * 2 + 20);
});

test('10 000 callbacks pending to dead hosts: another one is not delayed, to a new host neither', {
  timeout: 120_000,
}, async () => {
  const live = await startReceiver();
  // Half go to one host that accepts connections and never responds, half to as many hosts that do so.
  const queuedAt = new Map<string, number>();
  const latencies: number[] = [];
  const outbound = createOutbound();
  const clock = { now: () => Date.now(), wall: () => Date.now() };
  const send = async (request: OutboundRequest, options: { signal: AbortSignal }) => {
    if (request.url.includes('dead')) {
      return new Promise<OutboundOutcome>((resolve) =>
        options.signal.addEventListener('abort', () => resolve({ error: 'timeout' })),
      );
    }
    const url = request.url.replace(/^https:\/\/new-\d+\.example/, live.url);
    const outcome = await outbound.send({ ...request, url }, options);
    const id = request.headers['webhook-id'] ?? '';
    if ('status' in outcome) latencies.push(performance.now() - (queuedAt.get(id) ?? 0));
    return outcome;
  };
  const full = engine(send, undefined, clock);
  const { scheduler } = full.context;
  const stopTimers = driveInRealTime(scheduler, clock);
  let hosts = 0;
  const newHost = () => `https://new-${hosts++}.example`;
  const measure = async (count: number, hostOf = () => live.url) => {
    latencies.length = 0;
    for (let n = 0; n < count; n += 1) {
      const { messageId } = full.enqueueCallback(`${hostOf()}/cb/${n}`);
      queuedAt.set(messageId, performance.now());
      scheduler.runDue();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    while (latencies.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    latencies.sort((a, b) => a - b);
    const at = (share: number) => Number((latencies[Math.floor(count * share)] ?? 0).toFixed(1));
    return { median: at(0.5), p99: at(0.99) };
  };
  await measure(200);
  const alone = await measure(1000);
  for (let n = 0; n < 5000; n += 1) {
    full.enqueueCallback(`https://dead.example/cb/${n}`);
    full.enqueueCallback(`https://dead-${n}.example/cb`);
  }
  scheduler.runDue();
  const toNewHosts = await measure(1000, newHost);
  const besideDead = await measure(1000);
  stopTimers();
  scheduler.abandon(new Error('The benchmark is over.'));
  await outbound.close();
  live.stop();
  console.log('latency from queued to delivered (ms)', { alone, besideDead, toNewHosts });
  // 100 ms on a machine that does nothing else.
  expect(besideDead.p99).toBeLessThan(100 + alone.p99);
  expect(toNewHosts.p99).toBeLessThan(100 + alone.p99);
});
