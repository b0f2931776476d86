import type { WebhookEventOf, WebhookEventType, WebhookPayloads } from '../webhooks/events.ts';

const invoice = {
  id: 'inv_01jgfj8s00000000000000001v',
  number: '2026-0001',
  amountDue: 4200,
  currency: 'usd',
  periodStart: '2025-12-01T00:00:00.000Z',
  periodEnd: '2026-01-01T00:00:00.000Z',
} as const;
const organization = 'org_01jgfj8s00000000000000000r';
const requestId = 'gen_01jgfj8s00000000000000000g';

const samples: WebhookPayloads = {
  generation_completed: {
    requestId,
    status: 'completed',
    result: 'Packets cross the night / each one named and each one asked / did you hear me well',
    model: 'content-1',
    usage: { totalTokens: 31, promptTokens: 6, completionTokens: 25 },
    completedAt: '2026-01-01T12:00:00.000Z',
  },
  generation_failed: {
    requestId,
    status: 'failed',
    model: 'content-1',
    error: { code: 'model_failed', message: 'The model failed to generate text.' },
    completedAt: '2026-01-01T12:00:00.000Z',
  },
  usage_threshold: {
    event: 'usage_threshold',
    organization,
    occurredAt: '2026-01-01T12:00:00.000Z',
    usage: 900_120,
    threshold: 900_000,
    quota: 1_000_000,
    periodStart: '2026-01-01T00:00:00.000Z',
    periodEnd: '2026-02-01T00:00:00.000Z',
  },
  invoice_paid: {
    event: 'invoice_paid',
    organization,
    occurredAt: '2026-01-01T12:00:00.000Z',
    invoice: { ...invoice, amountPaid: 4200, status: 'paid' },
  },
  invoice_payment_failed: {
    event: 'invoice_payment_failed',
    organization,
    occurredAt: '2026-01-01T12:00:00.000Z',
    invoice: {
      ...invoice,
      amountPaid: 0,
      status: 'payment_failed',
      failureReason: 'card_declined',
    },
  },
  data_updated: {
    event: 'data_updated',
    organization,
    occurredAt: '2026-01-01T12:00:00.000Z',
    source: 'product-catalog',
    reason: 'ingestion_completed',
    records: 128,
    updatedAt: '2026-01-01T12:00:00.000Z',
  },
};

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
