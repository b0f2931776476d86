import { samples } from '../generated/samples.ts';
import type { WebhookEventOf, WebhookEventType, WebhookPayloads } from '../webhooks/events.ts';

/** Every type of {@link sampleEvent}. */
export const sampleTypes = Object.keys(samples) as WebhookEventType[];

/**
 * An event of a type as a receiver gets it, with a new id. Apart from `changes`, its payload is always the same.
 *
 * @throws TypeError when the type is not one of `sampleTypes`.
 * @example
 * await onUsage(sampleEvent('usage_threshold', { usage: 10 }));
 */
export function sampleEvent<Type extends WebhookEventType>(
  type: Type,
  changes: Partial<WebhookPayloads[Type]> = {},
): WebhookEventOf<Type> {
  if (!Object.hasOwn(samples, type))
    throw new TypeError(
      `Failed to create a sample event: unknown type. Pass one of ${sampleTypes.join(', ')}.`,
    );
  const id = `msg_${crypto.randomUUID().replaceAll('-', '')}`;
  const payload = { ...structuredClone(samples[type]), ...changes };
  return { id, type, timestamp: Math.floor(Date.now() / 1000), payload } as WebhookEventOf<Type>;
}
