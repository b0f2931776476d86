import type { WaitProgress } from 'contentgen';
import { describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  completed,
  scriptedService,
  stopClock,
  turns,
  until,
} from './support/service.ts';

const processing = { requestId: 'gen_1', status: 'processing', model: 'content-1' };

test('start() resolves with its job, and without a webhookUrl sends nothing: it would be a synchronous generation', async () => {
  const service = scriptedService();
  const { client } = clientOf(service);
  for (const request of [{ prompt: 'p' }, { prompt: 'p', webhookUrl: null }, undefined])
    await expect(client.content.start(request as never)).rejects.toThrow(TypeError);
  const webhookUrl = 'https://app.example/cb';
  service.script({ status: 202, json: { status: 'processing', requestId: 'gen_1' } });
  const job = await client.content.start({ prompt: 'p', webhookUrl });
  expect(job).toMatchObject({ requestId: 'gen_1', status: 'processing' });
  expect(service.seen.map(({ body }) => body)).toEqual([
    `{"prompt":"p","webhookUrl":"${webhookUrl}"}`,
  ]);
});

describe('wait()', () => {
  const wait = (options: object, polls: number) => {
    const service = scriptedService();
    const unfinished = Array.from({ length: polls }, () => ({ json: processing }));
    service.script(...unfinished, { json: completed });
    const { client } = clientOf(service);
    return { service, waiting: client.content.resume('gen_1').wait(options) };
  };

  test('polls rarely while it listens for the callback, and often again once listening fails', async () => {
    stopClock();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const seen: number[] = [];
    const onProgress = ({ nextPollMs }: WaitProgress) => void seen.push(nextPollMs);
    const { promise, reject } = Promise.withResolvers<never>();
    const { waiting } = wait({ onProgress, results: { waitFor: () => promise } }, 4);
    await until(() => seen.length === 1);
    await vi.advanceTimersByTimeAsync(9999);
    expect(seen).toEqual([10_000]);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => seen.length === 2);
    expect(seen).toEqual([10_000, 15_000]);
    reject(new Error('The store is gone.'));
    await until(() => seen.length === 3);
    expect(seen[2]).toBe(1125);
    await vi.advanceTimersByTimeAsync(1125);
    await until(() => seen.length === 4);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await waiting).status).toBe('completed');
  });

  test('polls once more before its deadline, in case the callback never arrived', async () => {
    stopClock();
    const seen: number[] = [];
    const { waiting } = wait(
      {
        deadline: 4000,
        onProgress: ({ nextPollMs }: WaitProgress) => void seen.push(nextPollMs),
        results: { waitFor: () => new Promise<never>(() => {}) },
      },
      1,
    );
    await until(() => seen.length === 1);
    await vi.advanceTimersByTimeAsync(3000);
    expect([(await waiting).status, seen]).toEqual(['completed', [3000]]);
  });

  test.each([
    [{}, 0, [400, 600]],
    [{}, 1, [600, 900]],
    [{ min: 9000 }, 0.5, [9000, 10_000]],
    [{ min: 30_000 }, 0.5, [30_000, 30_000]],
    [{ max: 100 }, 0.5, [100, 100]],
  ])('with a pollInterval of %j and %d as random the pauses are %j', async (...row) => {
    const [pollInterval, random, pauses] = row;
    stopClock();
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const seen: number[] = [];
    const onProgress = ({ nextPollMs }: WaitProgress) => void seen.push(nextPollMs);
    const { waiting } = wait({ onProgress, pollInterval }, 2);
    for (const [index, pause] of pauses.entries()) {
      await until(() => seen.length === index + 1);
      await turns();
      vi.advanceTimersByTime(pause);
    }
    await waiting;
    expect(seen).toEqual(pauses);
  });

  test.each([
    { onProgress: true },
    { pollInterval: 500 },
    { pollInterval: null },
    { pollInterval: { min: 0 } },
    { pollInterval: { max: Number.NaN } },
    { pollInterval: { max: Number.POSITIVE_INFINITY } },
    { pollInterval: { min: 2000, max: 1000 } },
    { pollInterval: { minimum: 5 } },
  ])('%j is rejected before anything is sent', async (options) => {
    const { service, waiting } = wait(options, 0);
    await expect(waiting).rejects.toThrow(TypeError);
    await expect(waiting).rejects.toThrow(Object.keys(options)[0]);
    expect(service.seen).toHaveLength(0);
  });
});
