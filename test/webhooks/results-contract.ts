import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';
import type { SharedResults } from 'contentgen/webhooks/redis';
import { expect, test, vi } from 'vitest';
import { completed, failed, recorder, usage } from './support.ts';

const event = (requestId: string, payload: object = completed) =>
  ({
    id: `msg_${requestId}`,
    type: 'error' in payload ? 'generation_failed' : 'generation_completed',
    payload: { ...payload, requestId },
  }) as never;

/** What results guarantee on any store. `start` starts a separate process; all of them share one store. */
export function resultsContract(start: (options?: { ttlMs?: number }) => Promise<SharedResults>) {
  let n = 0;
  const nextId = () => `gen_${process.pid}_${n++}`;

  test('a result that arrives in one process settles the wait in another', async () => {
    const [a, b] = [await start(), await start()];
    const requestId = nextId();
    const waiting = [a.waitFor(requestId), a.waitFor(requestId), b.waitFor(requestId)];
    await b.add(event(requestId));
    for (const result of await Promise.all(waiting)) expect(result).toEqual(event(requestId));
  });

  test('a wait that comes after the result settles, failures included', async () => {
    const [a, b] = [await start(), await start()];
    const requestId = nextId();
    await b.add(event(requestId, failed));
    expect(await a.waitFor(requestId)).toMatchObject({
      type: 'generation_failed',
      payload: { error: failed.error },
    });
  });

  test('a result is forgotten after its time', async () => {
    const a = await start({ ttlMs: 1000 });
    const requestId = nextId();
    await a.add(event(requestId));
    await vi.waitUntil(
      async () => {
        const signal = AbortSignal.timeout(300);
        return a.waitFor(requestId, { signal }).then(
          () => false,
          () => true,
        );
      },
      { timeout: 20_000, interval: 100 },
    );
  });

  test('other events are ignored', async () => {
    const a = await start();
    await a.add({ id: 'msg_1', type: 'usage_threshold', payload: usage } as never);
    const { requestId: _, ...nameless } = completed;
    await a.add({ id: 'msg_1', type: 'generation_completed', payload: nameless } as never);
  });

  test('a wait ends with its signal, and close() ends the remaining ones', async () => {
    const a = await start();
    const ending = new AbortController();
    const waiting = a.waitFor(nextId(), { signal: ending.signal });
    const left = a.waitFor(nextId());
    ending.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(a.waitFor(nextId(), { signal: ending.signal })).rejects.toThrow('enough');
    const closed = expect(left).rejects.toThrow('closed');
    await a.close();
    await closed;
    await expect(a.waitFor(nextId())).rejects.toThrow('closed');
  });

  test('a thousand waits in one process settle by callbacks to another, with one poll each', async () => {
    const [a, b] = [await start(), await start()];
    await using mock = Object.assign(
      createMockServer({ clock: 'manual', processingTime: 60_000 }),
      {
        async [Symbol.asyncDispose]() {
          await mock.close();
        },
      },
    );
    const client = new ContentGen({
      baseUrl: mock.baseUrl,
      apiKey: mock.adminKey,
      fetch: mock.fetch,
    });
    const { now } = mock.clock;
    const options = { secret: mock.signingSecret, now, logger: recorder() };
    mock.receivers.set(
      'https://app.example/callbacks',
      createWebhookHandler({ ...options, results: b }),
    );
    const jobs = await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        client.content.start({ prompt: `${i}`, webhookUrl: 'https://app.example/callbacks' }),
      ),
    );
    let polls = 0;
    // No second poll is due in the time that a busy machine needs.
    const pollInterval = { min: 120_000, max: 120_000 };
    const onProgress = () => void polls++;
    const waiting = jobs.map((job) => job.wait({ results: a, pollInterval, onProgress }));
    await vi.waitUntil(() => polls === 1000, { timeout: 30_000 });
    await mock.clock.advance('2 minutes');
    const results = await Promise.all(waiting);
    expect(results.map(({ requestId }) => requestId)).toEqual(
      jobs.map(({ requestId }) => requestId),
    );
    expect(polls).toBe(1000);
    expect(mock.requests().filter(({ method }) => method === 'GET')).toHaveLength(1000);
  });
}

/** A wait that began before the store was restarted settles with a result that arrives afterwards. */
export async function survivesRestart(
  start: () => Promise<SharedResults>,
  restart: () => Promise<void>,
) {
  const [a, b] = [await start(), await start()];
  const [first, second] = [`gen_first_${process.pid}`, `gen_second_${process.pid}`];
  const waiting = a.waitFor(second);
  const before = a.waitFor(first);
  await b.add(event(first));
  await before;
  await restart();
  await vi.waitUntil(
    () =>
      b.add(event(second)).then(
        () => true,
        () => false,
      ),
    { timeout: 30_000, interval: 50 },
  );
  expect(await waiting).toMatchObject({ payload: { requestId: second } });
}
