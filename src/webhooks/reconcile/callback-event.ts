import type { WebhookEvent } from '../events.ts';
import { toMessage, type WebhookMessage } from '../queue/message.ts';
import type { ReconcileGeneration } from './client.ts';

/** The fields of a generation that are part of its callback. */
const fields = /^(requestId|status|result|model|usage|error|metadata|completedAt)$/;

/** The message of the callback that a generation had, or would have had. */
export function callbackMessage(
  generation: ReconcileGeneration,
  messageId: string,
  dedupeKey: ((event: WebhookEvent) => string) | undefined,
): WebhookMessage {
  const payload = Object.fromEntries(
    Object.entries(generation).filter(([name]) => fields.test(name)),
  );
  const type = generation.status === 'failed' ? 'generation_failed' : 'generation_completed';
  const event = { id: messageId, type, payload } as unknown as WebhookEvent;
  return toMessage(event, dedupeKey?.(event) ?? messageId, JSON.stringify(payload));
}
