import type { WaitOptions, WaitProgress } from 'contentgen';
import { describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  completed,
  later,
  problem,
  type Reaction,
  stopClock,
  transports,
  turns,
  until,
  useService,
} from './support/service.ts';

const processing: Reaction = {
  json: { requestId: 'gen_1', status: 'processing', model: 'content-1' },
};
const down = problem(503, 'unavailable');
const payload = { ...completed, type: undefined };

/** A source whose callback arrives when the test says so. */
function source() {
  const { promise, resolve } = Promise.withResolvers<{ type: string; payload: unknown }>();
  const arrive = () => resolve({ type: 'generation_completed', payload });
  return { results: { waitFor: () => promise }, arrive };
}

describe.each(transports)('wait() over a %s', (transport) => {
  const service = useService(transport);
  const wait = (reactions: Reaction[], options: WaitOptions = {}, clientOptions: object = {}) => {
    stopClock();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
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

  test.each([401, 403])('ends with %d, callback or not', async (status) => {
    const { waiting } = wait([problem(status, 'some_code')], { results: source().results });
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
});
