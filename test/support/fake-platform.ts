import { onTestFinished, vi } from 'vitest';
import { realTimers } from '../../mock-server/real-timers.ts';

/** Puts the reference server on Vitest's fake timers too, which it otherwise does not see. */
export function fakePlatform(...options: Parameters<typeof vi.useFakeTimers>): void {
  const real = { ...realTimers };
  vi.useFakeTimers(...options);
  Object.assign(realTimers, {
    setTimeout: (callback: () => void, ms: number) => setTimeout(callback, ms),
    clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
    setInterval: (callback: () => void, ms: number) => setInterval(callback, ms),
    clearInterval: (timer: NodeJS.Timeout) => clearInterval(timer),
    now: () => Date.now(),
  });
  onTestFinished(() => {
    vi.useRealTimers();
    Object.assign(realTimers, real);
  });
}
