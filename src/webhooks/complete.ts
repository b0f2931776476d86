import type { components } from '../generated/openapi.ts';
import { sha256Hex } from '../signing/web-crypto.ts';
import type { WebhookEvent, WebhookEventType } from './events.ts';
import type { SchemasSource, VerificationOptions } from './settings.ts';

/** The component schema of each type, by its name in `contentgen/schemas`. */
const schemaNames: Record<WebhookEventType, keyof components['schemas']> = {
  generation_completed: 'GenerationCompletedCallback',
  generation_failed: 'GenerationFailedCallback',
  usage_threshold: 'UsageThresholdEvent',
  invoice_paid: 'InvoicePaidEvent',
  invoice_payment_failed: 'InvoicePaymentFailedEvent',
  data_updated: 'DataUpdatedEvent',
};

interface Schema {
  safeParse(value: unknown): {
    success: boolean;
    error?: { issues: readonly { readonly path: readonly PropertyKey[] }[] };
  };
}

/** What few deliveries need: our name of the type, an id of our own where none came, and validation. */
export async function complete(
  { validate, eventNames = {} }: VerificationOptions,
  opened: WebhookEvent,
  bytes: Uint8Array,
  refuse: (code: 'payload_invalid', places: string) => never,
): Promise<WebhookEvent> {
  const ours = Object.entries(eventNames).find(([, theirs]) => theirs === opened.type);
  const event = { ...opened, type: ours?.[0] ?? opened.type } as WebhookEvent;
  const id = event.id || callbackId(event) || `sha256:${await sha256Hex(bytes)}`;
  const problem = validate && (await problemOf(validate, event));
  return problem ? refuse('payload_invalid', problem) : { ...event, id };
}

/** `requestId:status` of a result callback. */
function callbackId({ type, payload }: WebhookEvent): string | undefined {
  const requestId = 'requestId' in payload ? payload.requestId : undefined;
  if (typeof requestId !== 'string' || requestId === '') return undefined;
  if (type === 'generation_completed') return `${requestId}:completed`;
  return type === 'generation_failed' ? `${requestId}:failed` : undefined;
}

/** JSON Pointers into a payload of a known type that does not fit; no values. */
async function problemOf(source: SchemasSource, event: WebhookEvent): Promise<string | undefined> {
  const { type } = event as { type: string };
  if (!Object.hasOwn(schemaNames, type)) return undefined;
  const loaded = typeof source === 'function' ? await source() : source;
  const schema = (loaded as Record<string, Schema>)[schemaNames[type as WebhookEventType]];
  if (typeof schema?.safeParse !== 'function')
    throw new TypeError("validate must be () => import('contentgen/schemas')");
  // The deployment may name the event otherwise: the schema knows our name alone.
  const payload = 'event' in event.payload ? { ...event.payload, event: type } : event.payload;
  const { success, error } = schema.safeParse(payload);
  if (success) return undefined;
  const places = error?.issues.slice(0, 5).map(({ path }) => `/${path.map(String).join('/')}`);
  return places?.join(', ') || '/';
}
