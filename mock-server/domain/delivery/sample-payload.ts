import type { components } from '../../contract.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import { findOrganization } from '../organizations.ts';
import { periodOf, timestamp } from '../periods.ts';
import type { Webhook } from '../records.ts';
import { shareOf } from '../usage-thresholds.ts';

type Schemas = components['schemas'];

interface Samples {
  usage_threshold: Omit<Schemas['UsageThresholdEvent'], 'event'>;
  invoice_paid: Omit<Schemas['InvoicePaidEvent'], 'event'>;
  invoice_payment_failed: Omit<Schemas['InvoicePaymentFailedEvent'], 'event'>;
  data_updated: Omit<Schemas['DataUpdatedEvent'], 'event'>;
}

/** The sample event that a test sends to a registration. Its values are plausible, and none of them is counted. */
export function samplePayload(context: Context, webhook: Webhook): object {
  const { event } = webhook;
  return { event, ...samplesFor(context, webhook)[event] };
}

function samplesFor(context: Context, { organization, threshold = 1 }: Webhook): Samples {
  const { quota, rngStream } = findOrganization(context, organization);
  const now = context.ports.clock.now();
  const month = periodOf(now);
  const [periodStart, periodEnd] = [timestamp(month.start), timestamp(month.end)];
  const occurredAt = timestamp(now);
  const reached = Math.floor(shareOf(quota, threshold));
  const invoice = {
    id: newId(context, 'inv', rngStream),
    number: 'TEST-0001',
    amountDue: 4200,
    currency: 'usd',
    periodStart,
    periodEnd,
  };
  return {
    usage_threshold: {
      organization,
      occurredAt,
      usage: reached,
      threshold: reached,
      quota,
      periodStart,
      periodEnd,
    },
    invoice_paid: {
      organization,
      occurredAt,
      invoice: { ...invoice, amountPaid: 4200, status: 'paid' },
    },
    invoice_payment_failed: {
      organization,
      occurredAt,
      invoice: {
        ...invoice,
        amountPaid: 0,
        status: 'payment_failed',
        failureReason: 'card_declined',
      },
    },
    data_updated: {
      organization,
      occurredAt,
      source: 'test',
      reason: 'ingestion_completed',
      records: 1,
      updatedAt: timestamp(now),
    },
  };
}
