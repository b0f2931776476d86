import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { createMockServer } from '../../../mock-server/create-mock-server.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler, memoryDedupe } from '../../../src/webhooks/index.ts';
import { freePort } from '../../support/free-port.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test('a receiver that is killed and restarted gets every message, verified, once per id', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'received');
  writeFileSync(file, '');
  const received = (): [id: string, requestId: string][] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith(']'))
      .map((line) => JSON.parse(line));

  const mock = createMockServer({ processingTime: { min: 0, max: 1500 } });
  cleanups.push(() => mock.close());
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.memberKey,
    fetch: mock.fetch,
  });
  const port = await freePort();
  const children: ChildProcess[] = [];
  cleanups.push(() => children.map((child) => child.kill('SIGKILL')));
  const startReceiver = async () => {
    const script = fileURLToPath(new URL('receiver.mjs', import.meta.url));
    const child = fork(script, [String(port), mock.signingSecret, file], { execArgv: [] });
    children.push(child);
    await once(child, 'message');
    return child;
  };

  let receiver = await startReceiver();
  const webhookUrl = `http://127.0.0.1:${port}/callbacks`;
  const jobs = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      client.content.generate({ prompt: `number ${n}`, webhookUrl }),
    ),
  );
  await expect.poll(() => received().length, { timeout: 10_000 }).toBeGreaterThan(20);
  receiver.kill('SIGKILL');
  await once(receiver, 'exit');
  const before = received().length;
  expect(before).toBeLessThan(jobs.length);
  // Deliveries under way fail and wait on the mock's clock, so the test does not have to.
  await expect
    .poll(
      () => mock.deliveries({ limit: 1000 }).filter(({ attempts }) => attempts.length > 0).length,
    )
    .toBeGreaterThan(before);

  receiver = await startReceiver();
  await expect
    .poll(
      async () => {
        await mock.clock.advance('10 minutes');
        return {
          arrived: new Set(received().map(([, requestId]) => requestId)).size,
          delivered: mock.deliveries({ limit: 1000 }).filter(({ status }) => status === 'delivered')
            .length,
        };
      },
      { timeout: 30_000 },
    )
    .toEqual({ arrived: jobs.length, delivered: jobs.length });

  const deliveries = mock.deliveries({ limit: 1000 });
  expect(deliveries.some(({ attempts }) => attempts.length > 1)).toBe(true);
  const ids = received().map(([id]) => id);
  const sent = new Map(deliveries.map(({ messageId, requestId }) => [messageId, requestId]));
  expect(new Set(received().map(([, requestId]) => requestId))).toEqual(
    new Set(jobs.map(({ requestId }) => requestId)),
  );
  expect(received().every(([id, requestId]) => sent.get(id) === requestId)).toBe(true);
  // Messages can arrive more than once; their ids identify the repetitions.
  expect(new Set(ids).size).toBe(jobs.length);
});

test('after a SIGTERM in the middle of a callback, the attempt after 5 s still finds the lease, and the one five minutes later succeeds', async () => {
  const mock = createMockServer({ clock: 'manual', processingTime: 100, seed: 1 });
  cleanups.push(() => mock.close());
  // Stands for a store that both processes share.
  const { now } = mock.clock;
  const dedupe = memoryDedupe({ now });
  const receiver = (callback: () => unknown) =>
    createWebhookHandler({
      secret: mock.signingSecret,
      now,
      dedupe,
      on: { generation_completed: callback },
    });
  const entered = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const ending = receiver(() => {
    entered.resolve();
    return ended.promise;
  });
  cleanups.push(() => ended.resolve());
  const callback = vi.fn();
  const next = receiver(callback);
  let isEnding = true;
  const webhookUrl = 'https://app.example/callbacks';
  mock.receivers.set(webhookUrl, async (request) => {
    if (!isEnding) return next(request);
    isEnding = false;
    void ending(request);
    await entered.promise;
    throw new Error('the process has ended');
  });
  const client = new ContentGen(mock.clientOptions);
  await client.content.start({ prompt: 'A story', webhookUrl });
  await mock.clock.advance('10 minutes');

  const [delivery] = mock.deliveries();
  const attempts = delivery?.attempts ?? [];
  expect(attempts.map(({ status }) => status)).toEqual([undefined, 503, 200]);
  const [first = 0, second = 0, third = 0] = attempts.map(({ at }) => Date.parse(`${at}`) / 1000);
  expect(Math.abs(second - first - 5)).toBeLessThanOrEqual(1);
  expect(Math.abs(third - second - 300)).toBeLessThanOrEqual(60);
  expect(callback).toHaveBeenCalledOnce();
});
