import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createScheduler } from '../../../mock-server/domain/scheduler.ts';
import { driveInRealTime, pause } from '../../../mock-server/platform/timers.ts';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { fakePlatform } from '../../support/fake-platform.ts';

beforeEach(() => fakePlatform({ now: 1_000_000 }));

function drive() {
  let offset = 0;
  const clock = { now: () => Date.now() + offset, wall: () => Date.now() };
  const move = (ms: number) => {
    offset += ms;
    scheduler.clockMoved();
  };
  const ran: [ref: string, at: number][] = [];
  const scheduler = createScheduler(
    memoryStore(),
    clock,
    () => (job) => {
      ran.push([job.ref, clock.now()]);
      return () => {};
    },
    (error) => {
      throw error;
    },
  );
  return { scheduler, ran, move, stop: driveInRealTime(scheduler, clock) };
}

describe('a scheduler in real time', () => {
  test('waits longer than the longest platform timer', () => {
    const { scheduler, ran } = drive();
    const far = 1_000_000 + 60 * 24 * 3600 * 1000;
    scheduler.schedule('usage.period_end', 'far', far);
    vi.advanceTimersByTime(59 * 24 * 3600 * 1000);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(24 * 3600 * 1000);
    expect(ran).toEqual([['far', far]]);
  });

  test('keeps the process alive only for jobs that are due soon', () => {
    vi.useRealTimers();
    const armed: { held: boolean; delay: number | undefined }[] = [];
    const real = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delay?: number) => {
      const timer = real(run, delay);
      const entry = { held: true, delay };
      armed.push(entry);
      vi.spyOn(timer, 'unref').mockImplementation(() => {
        entry.held = false;
        return timer;
      });
      return timer;
    }) as typeof setTimeout);
    const { scheduler, stop } = drive();
    scheduler.schedule('usage.period_end', 'month', Date.now() + 30 * 24 * 3600 * 1000);
    scheduler.schedule('usage.period_end', 'retry', Date.now() + 5000);
    stop();
    vi.restoreAllMocks();
    expect(armed.map(({ held }) => held)).toEqual([false, true]);
  });
});

describe('pause', () => {
  test('rejects with the reason of its signal and leaves no timer', async () => {
    const controller = new AbortController();
    const pending = pause(100, controller.signal);
    controller.abort(new Error('why'));
    await expect(pending).rejects.toThrow('why');
    expect(vi.getTimerCount()).toBe(0);
    await expect(pause(100, controller.signal)).rejects.toThrow('why');
  });
});
