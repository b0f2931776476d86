import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import type { OutboundOutcome, OutboundRequest } from '../../mock-server/domain/ports.ts';
import { createOutbound } from '../../mock-server/outbound/transport.ts';
import { driveInRealTime } from '../../mock-server/platform/timers.ts';
import { engine, startReceiver } from './setup.ts';

const receiver = await startReceiver();
afterAll(() => receiver.stop());

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
  // Half go to one host that accepts connections and never responds, half to 400 hosts that do so.
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
    full.enqueueCallback(`https://dead-${n % 400}.example/cb/${n}`);
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
