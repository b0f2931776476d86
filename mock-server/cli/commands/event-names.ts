import { UsageError } from '../usage.ts';

export const SYSTEM_EVENTS = [
  'usage_threshold',
  'invoice_paid',
  'invoice_payment_failed',
  'data_updated',
] as const;

export type SystemEventName = (typeof SYSTEM_EVENTS)[number];

/** @throws UsageError that lists the events there are. */
export function eventOf(flag: string, text: string): SystemEventName {
  const found = SYSTEM_EVENTS.find((name) => name === text);
  if (!found) throw new UsageError(`${flag} must be ${SYSTEM_EVENTS.join(', ')}, not '${text}'.`);
  return found;
}
