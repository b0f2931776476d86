import { isDriven, now } from '../platform/driver.ts';
import { parseHttpDate } from '../retry-after.ts';
import type { Call } from './call.ts';
import { writeLog } from './log.ts';
import { isLocal } from './set-up-advice.ts';

/** A clock that is wrong by more than this makes access tokens and signatures fail. */
const MAX_SKEW_MS = 5 * 60_000;

/** Warns once, for a client and its copies, when this machine's clock is wrong. */
export function warnOfClock({ options, url }: Call, headers: Headers): void {
  const { warnedOf } = options;
  if (warnedOf.has('clock') || headers.has('age') || isDriven() || isLocal(url)) return;
  const date = parseHttpDate(headers.get('date'), now());
  const skewMs = date === undefined ? 0 : Math.round(now() - date);
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return;
  warnedOf.add('clock');
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  const message = `the clock of this machine is ${minutes} min ${direction} that of the service`;
  void writeLog(options, 'warn', message, { skewMs });
}
