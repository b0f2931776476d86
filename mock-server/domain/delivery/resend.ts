import type { Context } from '../context.ts';
import { enqueueDelivery } from '../deliveries.ts';
import { findOrganization } from '../organizations.ts';
import type { Delivery } from '../records.ts';
import { type Rejection, reject } from '../rejection.ts';
import { isDeliverable } from './redeliver.ts';

export interface EditedMessage {
  /** Sent as it is, as UTF-8. */
  readonly body: string;
  /** Whether it keeps the `webhook-id`, so that a receiver treats it as a duplicate. */
  readonly keepMessageId: boolean;
}

/** Queues a copy of a delivery with a different body, signed like every delivery to that receiver. */
export function resendEdited(
  context: Context,
  original: Delivery,
  { body, keepMessageId }: EditedMessage,
): Delivery | Rejection {
  if (!isDeliverable(context, original)) {
    return reject('invalid_state', 'The registration of this delivery is disabled or deleted.');
  }
  const { organization, project, webhookId, requestId, event, url, messageId } = original;
  return enqueueDelivery(context, {
    organization,
    project,
    rngStream: findOrganization(context, organization).rngStream,
    ...(webhookId !== undefined && { webhookId }),
    ...(requestId !== undefined && { requestId }),
    event,
    url,
    body,
    ...(keepMessageId && { messageId }),
  });
}
