import { misconfigured } from '../signing/errors.ts';
import { sha256Hex } from '../signing/web-crypto.ts';
import { refuse } from './errors.ts';
import { isKnownEvent, schemaNames, type WebhookEvent } from './events.ts';
import type { SchemasSource, Settings } from './settings.ts';

interface Schema {
  safeParse(value: unknown): {
    success: boolean;
    error?: { issues: readonly { readonly path: readonly PropertyKey[] }[] };
  };
}

/** What few deliveries need, loaded for those: an id of our own where none came, and validation. */
export async function complete(
  { validate }: Settings,
  event: WebhookEvent,
  bytes: Uint8Array,
): Promise<WebhookEvent> {
  const id = event.id || callbackId(event) || `sha256:${await sha256Hex(bytes)}`;
  if (validate) await checkPayload(validate, event);
  return { ...event, id };
}

/** `requestId:status` of a result callback. */
function callbackId({ type, payload }: WebhookEvent): string | undefined {
  const requestId = 'requestId' in payload ? payload.requestId : undefined;
  if (typeof requestId !== 'string' || requestId === '') return undefined;
  if (type === 'generation_completed') return `${requestId}:completed`;
  return type === 'generation_failed' ? `${requestId}:failed` : undefined;
}

/** Refuses a payload of a known type that departs from its schema; the hint names places, no values. */
async function checkPayload(source: SchemasSource, event: WebhookEvent): Promise<void> {
  if (!isKnownEvent(event)) return;
  const loaded = typeof source === 'function' ? await source() : source;
  const schema = (loaded as Record<string, Schema>)[schemaNames[event.type]];
  if (typeof schema?.safeParse !== 'function')
    misconfigured("validate must be () => import('contentgen/schemas')");
  // The deployment may name the event otherwise: the schema knows our name alone.
  const payload =
    'event' in event.payload ? { ...event.payload, event: event.type } : event.payload;
  const { success, error } = schema.safeParse(payload);
  if (success) return;
  const places = error?.issues.slice(0, 5).map(({ path }) => `/${path.map(String).join('/')}`);
  refuse('payload_invalid', places?.join(', '));
}
