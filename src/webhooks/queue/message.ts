import { parseJson } from '../../options/values.ts';
import { kindOf, WebhookError } from '../../signing/errors.ts';
import type { WebhookEvent } from '../events.ts';

/**
 * A verified delivery as JSON, for a queue. The body is the text as it was signed, so that no queue can change it; with
 * a `deployment`, it is in the names of the contract. Pass the message to `processor.process()` as it is, or as JSON text.
 */
export interface WebhookMessage {
  /** The version of this format. Deploy processors before receivers: a processor rejects a later version. */
  readonly version: 1;
  /** The `webhook-id`. */
  readonly id: string;
  /** The type of the event. */
  readonly type: string;
  /** Unix seconds of the attempt; missing only if the deployment sends no `webhook-timestamp`. */
  readonly timestamp?: number;
  /** The key under which the delivery is remembered: the id, unless `dedupeKey` says otherwise. */
  readonly key: string;
  /** The body as text: JSON. */
  readonly body: string;
}

/**
 * Writes a delivery to a queue. It is acknowledged once the promise resolves; if the promise rejects, or if there is
 * none, the sender retries. `raw` is what `processor.process()` takes: put all of it on the queue.
 */
export type Enqueue = (event: WebhookEvent, raw: WebhookMessage) => PromiseLike<unknown>;

/** The processor was given something that is not a message from `enqueue`, or was written by a later version. */
export class WebhookMessageError extends WebhookError {
  /** Always `WebhookMessageError`. */
  override name = 'WebhookMessageError';
  /** Whether it is not a message, or was written by a later version. */
  readonly code: 'message_invalid' | 'message_version';

  constructor(code: WebhookMessageError['code'], problem: string) {
    super(`Failed to read the message: ${problem}`);
    this.code = code;
  }
}

export function toMessage(event: WebhookEvent, key: string, body: string): WebhookMessage {
  const { id, type, timestamp } = event;
  return { version: 1, id, type, ...(timestamp !== undefined && { timestamp }), key, body };
}

export function readMessage(given: unknown): { event: WebhookEvent; key: string } {
  const message = typeof given === 'string' ? parseJson(given) : given;
  const { version, id, type, timestamp, key, body } = Object(message) as Record<string, unknown>;
  if (typeof version === 'number' && version !== 1)
    throw new WebhookMessageError(
      'message_version',
      `it has version ${version}, but this processor supports only version 1. Update the processor; deploy processors before receivers.`,
    );
  const texts = [id, type, key, body];
  if (version !== 1 || !texts.every((text) => typeof text === 'string' && text !== ''))
    throw invalid(given);
  const payload = parseJson(body as string);
  if (!(payload instanceof Object) || Array.isArray(payload)) throw invalid(given);
  const time = typeof timestamp === 'number' ? { timestamp } : {};
  return { event: { id, type, ...time, payload } as WebhookEvent, key: key as string };
}

function invalid(given: unknown): WebhookMessageError {
  const problem = `it is ${kindOf(given)}, but not a message from enqueue. Pass \`raw\` (the second argument of enqueue) or its JSON.`;
  return new WebhookMessageError('message_invalid', problem);
}
