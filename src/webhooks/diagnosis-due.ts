import { isDriven } from '../platform/driver.ts';
import type { Settings } from './defaults.ts';
import type { WebhookLogger } from './log.ts';

const lastTimes = /*@__PURE__*/ new WeakMap<object, number>();

/** Replaced by bundlers, as in any code for browsers and workers; other runtimes may have no `process`. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * Whether to diagnose a rejected delivery: a diagnosis hashes the body up to a few hundred times, so each logger gets
 * at most one a second, no matter how many deliveries are rejected.
 */
export function isDiagnosisDue({ options, now }: Settings): boolean {
  // Nobody reads it in a simulation, which must not depend on what an earlier run logged.
  if (isDriven()) return false;
  const { logger = console } = options;
  if (!isDevelopment(logger)) return false;
  const time = now();
  const last = lastTimes.get(logger);
  // A clock that was set back must not silence it.
  if (last !== undefined && Math.abs(time - last) < 1000) return false;
  lastTimes.set(logger, time);
  return true;
}

/** Whether the log may explain at length: unless `NODE_ENV` is `production`, or as the logger says. */
export function isDevelopment({ diagnose }: Partial<WebhookLogger> = {}): boolean {
  return diagnose ?? nodeEnv() !== 'production';
}

function nodeEnv(): string | undefined {
  const { process: platform } = globalThis as { process?: { env?: Record<string, string> } };
  const found = platform?.env?.['NODE_ENV'];
  if (found !== undefined) return found;
  try {
    return process.env.NODE_ENV;
  } catch {
    return undefined;
  }
}
