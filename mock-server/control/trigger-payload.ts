import { firstError } from '../api/validate.ts';
import type { SystemEvent } from '../domain/records.ts';
import { ControlError } from './control-error.ts';

type Facts = Readonly<Record<string, unknown>>;

const SCHEMAS = {
  usage_threshold: 'UsageThresholdEvent',
  invoice_paid: 'InvoicePaidEvent',
  invoice_payment_failed: 'InvoicePaymentFailedEvent',
  data_updated: 'DataUpdatedEvent',
} as const satisfies Readonly<Record<SystemEvent, string>>;

const AT = '2026-01-01T00:00:00.000Z';
const INVOICE: Facts = {
  id: 'inv',
  number: '1',
  amountDue: 0,
  amountPaid: 0,
  currency: 'usd',
  periodStart: AT,
  periodEnd: AT,
  status: 'paid',
};
/** Stands in for what is not given. */
const REST: Readonly<Record<SystemEvent, Facts>> = {
  usage_threshold: { usage: 0, threshold: 0 },
  invoice_paid: { invoice: INVOICE },
  invoice_payment_failed: { invoice: INVOICE },
  data_updated: { source: '', reason: 'ingestion_completed', records: 0, updatedAt: AT },
};
const OF_INVOICE = new Set(['id', 'amountDue', 'currency', 'number', 'failureReason']);

function refuse(message: string): never {
  throw new ControlError('validation_failed', `Failed to trigger the event: ${message}`);
}

const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws unless the event is one of the contract with these members of its payload. */
export function checkPayload(event: SystemEvent, payload: unknown): void {
  if (!isFacts(payload)) refuse('the payload must be an object.');
  const { invoice } = payload;
  const ofInvoice = invoice !== undefined && event.startsWith('invoice_');
  if (ofInvoice && !isFacts(invoice)) refuse('invoice must be an object.');
  const unsettable =
    ['event', 'organization'].find((name) => Object.hasOwn(payload, name)) ??
    (ofInvoice ? Object.keys(invoice as Facts).find((name) => !OF_INVOICE.has(name)) : undefined);
  if (unsettable !== undefined) refuse(`its payload cannot set ${unsettable}.`);
  const whole = {
    ...REST[event],
    ...payload,
    ...(ofInvoice && { invoice: { ...INVOICE, ...(invoice as Facts) } }),
    event,
    organization: 'org',
  };
  const fault = firstError(SCHEMAS[event], whole);
  if (fault !== undefined) refuse(fault);
}
