import { kindOf, misconfigured, WebhookError } from '../../signing/errors.ts';
import { encoder, sha256Hex } from '../../signing/hmac.ts';
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

/** Throws unless `processor` can process messages. Otherwise every job would fail. */
export function assertProcessor(processor: unknown, adapter: string): void {
  if (typeof Object(processor).process !== 'function')
    misconfigured(
      `${adapter} got ${kindOf(processor)} without process()`,
      'Pass the result of createWebhookProcessor().',
    );
}

/** The message of a verified event. */
export function toMessage(event: WebhookEvent, key: string, body: string): WebhookMessage {
  const { id, type, timestamp } = event;
  return { version: 1, id, type, ...(timestamp !== undefined && { timestamp }), key, body };
}

/** The event of a message: the object that `enqueue` was given, or its JSON. @throws WebhookMessageError */
export function readMessage(given: unknown): { event: WebhookEvent; key: string } {
  const message = typeof given === 'string' ? parse(given) : given;
  const { version, id, type, timestamp, key, body } = Object(message) as Record<string, unknown>;
  if (typeof version === 'number' && version !== 1)
    throw new WebhookMessageError(
      'message_version',
      `it has version ${version}, but this processor supports only version 1. Update the processor; deploy processors before receivers.`,
    );
  const texts = [id, type, key, body];
  if (version !== 1 || !texts.every((text) => typeof text === 'string' && text !== ''))
    throw invalid(given);
  const payload = parse(body as string);
  if (!(payload instanceof Object) || Array.isArray(payload)) throw invalid(given);
  const time = typeof timestamp === 'number' ? { timestamp } : {};
  return { event: { id, type, ...time, payload } as WebhookEvent, key: key as string };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function invalid(given: unknown): WebhookMessageError {
  const problem = `it is ${kindOf(given)}, but not a message from enqueue. Pass \`raw\` (the second argument of enqueue) or its JSON.`;
  return new WebhookMessageError('message_invalid', problem);
}

/** The key itself if it fits, otherwise a digest of it: the same for every copy of a delivery. */
export async function jobId(key: string, fits: RegExp): Promise<string> {
  return fits.test(key) ? key : `sha256-${await sha256Hex(encoder.encode(key))}`;
}

/** A UUID made from a key (version 8, RFC 9562), for a queue that accepts no other id. */
export async function jobUuid(key: string): Promise<string> {
  const hex = await sha256Hex(encoder.encode(key));
  const variant = ((Number.parseInt(hex.charAt(16), 16) % 4) + 8).toString(16);
  const third = `8${hex.slice(13, 16)}`;
  const fourth = variant + hex.slice(17, 20);
  return [hex.slice(0, 8), hex.slice(8, 12), third, fourth, hex.slice(20, 32)].join('-');
}
