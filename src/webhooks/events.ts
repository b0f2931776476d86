import type { Deployment } from '../deployment-port.ts';
import { callbacks, payloads } from '../generated/names.ts';
import type { components } from '../generated/openapi.ts';
import { misconfigured } from '../signing/errors.ts';
import { sha256Hex } from '../signing/hmac.ts';
import { reject } from './errors.ts';

type Schemas = components['schemas'];

/** The payload of each event type, as declared in the contract. */
export interface WebhookPayloads {
  /** Result callback of a completed generation. */
  generation_completed: Schemas['GenerationCompletedCallback'];
  /** Result callback of a failed generation. */
  generation_failed: Schemas['GenerationFailedCallback'];
  /** The organization's usage reached a threshold. */
  usage_threshold: Schemas['UsageThresholdEvent'];
  /** An invoice was paid. */
  invoice_paid: Schemas['InvoicePaidEvent'];
  /** The payment of an invoice failed. */
  invoice_payment_failed: Schemas['InvoicePaymentFailedEvent'];
  /** Data was updated. */
  data_updated: Schemas['DataUpdatedEvent'];
}

/** The event types that this version knows. */
export type WebhookEventType = keyof WebhookPayloads;

interface EventOf<Type extends string, Payload> {
  /**
   * The `webhook-id`, the same on every attempt of a delivery. If the deployment sends none:
   * `requestId:status` for a result callback, `sha256:` + hex of the body for everything else.
   */
  readonly id: string;
  readonly type: Type;
  /** Unix seconds of this attempt; missing only if the deployment sends no `webhook-timestamp`. */
  readonly timestamp?: number;
  readonly payload: Payload;
}

/** The event of one type. */
export type WebhookEventOf<Type extends WebhookEventType> = {
  [Name in Type]: EventOf<Name, WebhookPayloads[Name]>;
}[Type];

/**
 * Stands for any type that this version does not know. At run time, `type` is the name that was sent; this
 * literal only makes comparisons with known types narrow.
 */
export type LaterEventType = '(a later type)';

/** A verified event of a type that this version does not know. */
export type LaterWebhookEvent = EventOf<LaterEventType, Readonly<Record<string, unknown>>>;

/** An event of a type that this version knows. */
export type KnownWebhookEvent = WebhookEventOf<WebhookEventType>;

/** A verified event: a union discriminated by `type`, open for later types. */
export type WebhookEvent = KnownWebhookEvent | LaterWebhookEvent;

/** The schema of each type that this version knows, by its name in `contentgen/schemas`. */
const schemaNames: Readonly<Record<string, string>> = { ...callbacks, ...payloads };

export const knownTypes: readonly string[] = Object.keys(schemaNames);

export function isKnownType(type: string): type is WebhookEventType {
  return Object.hasOwn(schemaNames, type);
}

/** The generated schemas, `contentgen/schemas`: the module, or a function that imports it. */
export type SchemasSource = object | (() => Promise<object>);

type Payload = Readonly<Record<string, unknown>>;

/** A delivery whose signature or token has been checked. */
export interface AuthenticDelivery {
  readonly id: string | undefined;
  readonly timestamp: number | undefined;
  readonly body: Uint8Array;
}

interface ParseOptions {
  readonly validate?: SchemasSource;
  readonly deployment?: Deployment;
}

/** The event of an authentic delivery: nothing is decoded before the signature has been checked. */
export async function parseEvent(
  { validate, deployment }: ParseOptions,
  { id: sent, timestamp, body }: AuthenticDelivery,
): Promise<WebhookEvent> {
  const payload = parseObject(body, deployment);
  const type = typeOf(payload);
  if (validate && isKnownType(type)) await validatePayload(validate, type, payload);
  const id = sent || callbackId(type, payload) || `sha256:${await sha256Hex(body)}`;
  return { id, type, ...(timestamp && { timestamp }), payload } as WebhookEvent;
}

/** Shared: making one costs as much as decoding a small body. Jest's jsdom has none at import. */
let decoder: TextDecoder | undefined;

function parseObject(body: Uint8Array, deployment: Deployment | undefined): Payload {
  let payload: unknown;
  try {
    decoder ??= new TextDecoder('utf-8', { fatal: true });
    payload = JSON.parse(decoder.decode(body));
    if (deployment) payload = deployment.toOurs.payload(payload);
  } catch {}
  if (!(payload instanceof Object) || Array.isArray(payload)) reject('body_not_json');
  return payload as Payload;
}

/** The type as sent: `event`; else that of a result callback, by its `status` if it has one, or by what it contains. */
function typeOf({ event, status, error, result }: Payload): string {
  if (typeof event === 'string') return event;
  if (status === 'failed') return 'generation_failed';
  if (status === 'completed') return 'generation_completed';
  if (status != null) return unnamed;
  if (error != null) return 'generation_failed';
  return typeof result === 'string' ? 'generation_completed' : unnamed;
}

/** Whether the service said what an event is. Of one that does not, nothing tells what it means. */
export function namesItsType(event: WebhookEvent): boolean {
  const { type, payload } = event as { type: string; payload: Payload };
  return type !== unnamed || payload['event'] === unnamed;
}

const unnamed = 'unknown';

/** `requestId:status` of a result callback. */
function callbackId(type: string, { requestId }: Payload): string | undefined {
  if (typeof requestId !== 'string' || requestId === '') return undefined;
  if (type === 'generation_completed') return `${requestId}:completed`;
  return type === 'generation_failed' ? `${requestId}:failed` : undefined;
}

interface Schema {
  safeParse(value: unknown): {
    success: boolean;
    error?: { issues: readonly { readonly path: readonly PropertyKey[] }[] };
  };
}

async function loadSchemas(source: SchemasSource): Promise<object> {
  try {
    return typeof source === 'function' ? await source() : source;
  } catch (cause) {
    return misconfigured(
      'validate cannot load the schemas',
      'contentgen/schemas needs zod 3.25 or later: npm install zod@latest.',
      cause,
    );
  }
}

/** Rejects a payload that does not match the schema of its type. Names JSON Pointers, never values. */
async function validatePayload(
  source: SchemasSource,
  type: WebhookEventType,
  payload: Payload,
): Promise<void> {
  const schemas = await loadSchemas(source);
  const schema = (schemas as Record<string, Schema>)[schemaNames[type] ?? ''];
  if (typeof schema?.safeParse !== 'function')
    return misconfigured(
      'validate does not provide the generated schemas',
      'Pass the module contentgen/schemas, or a function that imports it.',
    );
  const { success, error } = schema.safeParse(payload);
  if (success) return;
  const places = error?.issues.slice(0, 5).map(({ path }) => `/${path.map(String).join('/')}`);
  reject('payload_invalid', places?.join(', ') || '/');
}
