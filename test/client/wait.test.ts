import type { WaitOptions, WaitProgress } from 'contentgen';
import { describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  completed,
  later,
  problem,
  type Reaction,
  recorded,
  stopClock,
  turns,
  until,
  useService,
} from './support/service.ts';

const processing: Reaction = {
  json: { requestId: 'gen_1', status: 'processing', model: 'content-1' },
};
/** So many polls find the generation unfinished, the next one completed. */
const unfinished = (polls: number): Reaction[] => [
  ...Array.from({ length: polls }, () => processing),
  { json: completed },
];
const down = problem(503, 'unavailable');
const payload = { ...completed, type: undefined };

/** A source whose callback arrives when the test says so. */
function source() {
  const { promise, resolve } = Promise.withResolvers<{ type: string; payload: unknown }>();
  const waitFor = vi.fn((_: string, __: { signal: AbortSignal }) => promise);
  const arrive = (type = 'generation_completed', given: unknown = payload) =>
    resolve({ type, payload: given });
  return { results: { waitFor }, arrive };
}

describe('wait()', () => {
  const service = useService();
  const wait = (reactions: Reaction[], options: WaitOptions = {}, clientOptions: object = {}) => {
    stopClock();
    if (!vi.isMockFunction(Math.random)) vi.spyOn(Math, 'random').mockReturnValue(0.5);
    service.script(...reactions);
    const seen: WaitProgress[] = [];
    const { client } = clientOf(service, { maxRetries: 0, ...clientOptions });
    const job = client.content.resume('gen_1');
    const waiting = job.wait({ onProgress: (progress) => void seen.push(progress), ...options });
    waiting.catch(() => {});
    return { waiting, seen };
  };
  /** Moves the clock from poll to poll until the wait ends. A runtime may repeat a lost request by itself. */
  const polled = async (waiting: Promise<unknown>, seen: readonly WaitProgress[]) => {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    waiting.then(end, end);
    for (let polls = 1; !isOver; polls += 1) {
      await until(() => isOver || seen.length === polls);
      await vi.advanceTimersByTimeAsync(seen.at(-1)?.nextPollMs ?? 0);
    }
  };

  test("the service's Retry-After takes precedence over the interval", async () => {
    const { waiting, seen } = wait([
      { ...processing, headers: { 'retry-after': '30' } },
      { json: completed },
    ]);
    await polled(waiting, seen);
    expect(seen.map(({ nextPollMs }) => nextPollMs)).toEqual([30_000]);
  });

  test('an unknown status is logged once, and the wait continues', async () => {
    const { lines, logger } = recorded();
    const odd = { json: { requestId: 'gen_1', status: 'postponed' } };
    const options = { logger, logLevel: 'warn' };
    const { waiting, seen } = wait([odd, odd, odd, { json: completed }], {}, options);
    await polled(waiting, seen);
    expect((await waiting).result).toBe('a haiku');
    expect(lines).toHaveLength(1);
  });

  test.each([
    ['failed', 'generation_failed'],
    ['canceled', 'generation_canceled'],
  ])('rejects with the reason when the generation is %s', async (status, code) => {
    const generation = {
      ...{ requestId: 'gen_1', status },
      error: { code: 'model_overloaded', message: 'quoted prompt' },
    };
    const error = await wait([{ json: generation }]).waiting.catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'GenerationFailedError', code, generation });
    expect((error as Error).message).toMatch(/model_overloaded.*The service says: .*quoted prompt/);
    expect(JSON.stringify(error)).not.toContain('quoted prompt');
  });

  test('the signal ends it at once', async () => {
    const controller = new AbortController();
    const { waiting, seen } = wait([processing], { signal: controller.signal });
    await until(() => seen.length === 1);
    controller.abort('enough');
    await expect(waiting).rejects.toMatchObject({ name: 'AbortedError', cause: 'enough' });
  });

  test("the callback settles it at once, and the source's signal is aborted", async () => {
    const { results, arrive } = source();
    const { waiting, seen } = wait([processing], { results });
    await until(() => seen.length === 1);
    arrive('generation_completed', { result: 'by callback', model: 'm' });
    const settled = { requestId: 'gen_1', status: 'completed', result: 'by callback' };
    expect(await waiting).toMatchObject(settled);
    const [[requestId, { signal }] = ['', {}]] = results.waitFor.mock.calls;
    expect([requestId, signal?.aborted, service.seen.length]).toEqual(['gen_1', true, 1]);
  });

  test('the callback of a failed generation rejects it', async () => {
    const { results, arrive } = source();
    const { waiting } = wait([processing], { results });
    const error = { code: 'c', message: 'm' };
    arrive('generation_failed', { requestId: 'gen_1', error });
    await expect(waiting).rejects.toMatchObject({
      name: 'GenerationFailedError',
      generation: { error },
    });
  });

  test.each<[string, Reaction]>([
    ['503', down],
    ['a lost connection', { fault: 'disconnect' }],
    ['429 with a long Retry-After', later(429, 'rate_limited', '3600')],
  ])('survives an outage with %s and reports it', async (_, outage) => {
    const options = { maxRetryAfter: 2000 };
    const { waiting, seen } = wait([outage, outage, outage, { json: completed }], {}, options);
    await polled(waiting, seen);
    expect((await waiting).result).toBe('a haiku');
    expect(seen[0]?.generation).toBeUndefined();
    expect(seen[0]?.error?.attempts).toHaveLength(1);
    expect(Math.max(...seen.map(({ nextPollMs }) => nextPollMs))).toBeLessThanOrEqual(2000);
  });

  test.each([503, 404, 405, 501, 400])(
    'listens for the callback although polls get %d',
    async (status) => {
      const { results, arrive } = source();
      // Longer than the clock is moved: a response still under way must not time out.
      const options = { results, timeout: 200_000 };
      const { waiting, seen } = wait([problem(status, 'some_code')], options);
      const ends = [404, 405, 501].includes(status);
      await until(() => (ends ? service.seen.length >= 1 : seen.length >= 1));
      await turns();
      await vi.advanceTimersByTimeAsync(100_000);
      arrive();
      expect((await waiting).result).toBe('a haiku');
      if (ends) expect(seen).toEqual([]);
    },
  );

  test.each<[number, string, WaitOptions]>([
    [401, 'although it listens', source()],
    [403, 'although it listens', source()],
    [404, 'without a callback to listen for', {}],
  ])('ends with %d, %s', async (status, _, { results }) => {
    const { waiting } = wait([problem(status, 'some_code')], { results });
    await expect(waiting).rejects.toMatchObject({ status });
  });

  test.each<[string, Reaction[], WaitOptions, says: string]>([
    ['where there is nothing to poll', [problem(404, 'not_found')], {}, '(5000 ms)'],
    [
      'that polls nothing and says when to call it',
      [],
      { pollInterval: false },
      'Call wait() right after start()',
    ],
  ])('a wait %s ends at its deadline', async (_, reactions, options, says) => {
    const { results } = source();
    const { waiting } = wait(reactions, { results, deadline: 5000, ...options });
    await until(() => service.seen.length >= reactions.length);
    await vi.advanceTimersByTimeAsync(5000);
    await expect(waiting).rejects.toMatchObject({
      code: 'deadline_exceeded',
      message: expect.stringContaining(says),
    });
  });

  test('pollInterval: false polls nothing', async () => {
    const { results, arrive } = source();
    const { waiting } = wait([down], { results, pollInterval: false });
    await vi.advanceTimersByTimeAsync(100_000);
    arrive();
    expect((await waiting).result).toBe('a haiku');
    expect(service.seen).toHaveLength(0);
    await expect(wait([down], { pollInterval: false }).waiting).rejects.toThrow('needs results');
  });

  test.each<[string, Reaction]>([
    ['a long Retry-After', { ...processing, headers: { 'retry-after': '50' } }],
    ['a poll that hangs', { fault: 'hang' }],
  ])('polls once more before its deadline, whatever came before: %s', async (_, reaction) => {
    const { waiting, seen } = wait([reaction, { json: completed }], { deadline: 20_000 });
    // On a busy machine, a response can take longer than its request.
    await until(() => ('fault' in reaction ? service.seen : seen).length === 1);
    await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(18_900);
    await vi.advanceTimersByTimeAsync(700);
    await until(() => service.seen.length === 2);
    expect((await waiting).result).toBe('a haiku');
  });

  test('polls rarely while it listens for the callback, and often again once listening fails', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const { waiting, seen } = wait(unfinished(4), { results: { waitFor: () => promise } });
    const pauses = () => seen.map(({ nextPollMs }) => nextPollMs);
    await until(() => seen.length === 1);
    await vi.advanceTimersByTimeAsync(9999);
    expect(pauses()).toEqual([10_000]);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => seen.length === 2);
    expect(pauses()).toEqual([10_000, 15_000]);
    reject(new Error('The store is gone.'));
    await until(() => seen.length === 3);
    expect(pauses()[2]).toBe(1125);
    await vi.advanceTimersByTimeAsync(1125);
    await until(() => seen.length === 4);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await waiting).status).toBe('completed');
  });

  test.each([
    [{}, 0, [400, 600]],
    [{}, 0.5, [500, 750, 1125, 1688]],
    [{}, 1, [600, 900]],
    [{ min: 9000 }, 0.5, [9000, 10_000]],
    [{ max: 100 }, 0.5, [100, 100]],
  ])('with a pollInterval of %j and %d as random the pauses are %j', async (...row) => {
    const [pollInterval, random, pauses] = row;
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const { waiting, seen } = wait(unfinished(pauses.length), { pollInterval });
    let elapsedMs = 0;
    for (const [index, nextPollMs] of pauses.entries()) {
      const polls = index + 1;
      await until(() => seen.length === polls);
      expect(seen[index]).toEqual({ generation: processing.json, polls, elapsedMs, nextPollMs });
      await vi.advanceTimersByTimeAsync(nextPollMs - 1);
      expect(service.seen).toHaveLength(polls);
      await vi.advanceTimersByTimeAsync(1);
      elapsedMs += nextPollMs;
    }
    expect((await waiting).status).toBe('completed');
    expect(service.seen).toHaveLength(pauses.length + 1);
  });

  test.each([
    { onProgress: true },
    { pollInterval: 500 },
    { pollInterval: { min: 0 } },
    { pollInterval: { max: Number.NaN } },
    { pollInterval: { min: 2000, max: 1000 } },
    { pollInterval: { minimum: 5 } },
    { deadlin: 5 },
    { results: {} },
  ])('%j is rejected before anything is sent', async (options) => {
    const { waiting } = wait([], options as WaitOptions);
    await expect(waiting).rejects.toThrow(TypeError);
    await expect(waiting).rejects.toThrow(Object.keys(options)[0]);
    expect(service.seen).toHaveLength(0);
  });
});
