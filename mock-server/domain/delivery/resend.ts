import type { Context } from '../context.ts';
import { enqueueDelivery } from '../deliveries.ts';
import { findOrganization } from '../organizations.ts';
import type { Delivery } from '../records.ts';
import { type Rejection, reject } from '../rejection.ts';
import { isDeliverable } from './redeliver.ts';

export interface EditedMessage {
  /** Sent as it is, as UTF-8. */
  readonly body: string;
  /** Sent in addition to the server's own, or instead of them. `webhook-id` becomes the id of the message. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Queues a copy of a delivery with changes, signed like every delivery to that receiver. */
export function resendEdited(
  context: Context,
  original: Delivery,
  { body, headers: given }: EditedMessage,
): Delivery | Rejection {
  if (!isDeliverable(context, original)) {
    return reject('invalid_state', 'The registration of this delivery is disabled or deleted.');
  }
  const { organization, project, webhookId, requestId, event, url } = original;
  const lower = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]);
  const { 'webhook-id': messageId, ...headers } = Object.fromEntries(lower);
  return enqueueDelivery(context, {
    organization,
    project,
    rngStream: findOrganization(context, organization).rngStream,
    ...(webhookId !== undefined && { webhookId }),
    ...(requestId !== undefined && { requestId }),
    event,
    url,
    body,
    ...(messageId !== undefined && { messageId }),
    ...(Object.keys(headers).length > 0 && { headers }),
  });
}
