import { firstError } from '../../api/schema-errors.ts';
import { didYouMean, isObject } from '../../domain/options.ts';
import type { SystemEvent } from '../../domain/records.ts';
import { ControlError } from '../arguments.ts';

type Fields = Readonly<Record<string, unknown>>;

const SCHEMAS = {
  usage_threshold: 'UsageThresholdEvent',
  invoice_paid: 'InvoicePaidEvent',
  invoice_payment_failed: 'InvoicePaymentFailedEvent',
  data_updated: 'DataUpdatedEvent',
} as const satisfies Readonly<Record<SystemEvent, string>>;

const TIME = '2026-01-01T00:00:00.000Z';
const INVOICE: Fields = {
  id: 'inv',
  number: '1',
  amountDue: 0,
  amountPaid: 0,
  currency: 'usd',
  periodStart: TIME,
  periodEnd: TIME,
  status: 'paid',
};
/** Valid values for the required fields that the caller leaves out. */
const DEFAULTS: Readonly<Record<SystemEvent, Fields>> = {
  usage_threshold: { usage: 0, threshold: 0 },
  invoice_paid: { invoice: INVOICE },
  invoice_payment_failed: { invoice: INVOICE },
  data_updated: { source: '', reason: 'ingestion_completed', records: 0, updatedAt: TIME },
};
const INVOICE_FIELDS = new Set(['id', 'amountDue', 'currency', 'number', 'failureReason']);

function fail(message: string): never {
  throw new ControlError('validation_failed', `Failed to trigger the event: ${message}`);
}

/** Throws unless the event with these payload fields matches the contract. */
export function checkPayload(event: SystemEvent, payload: unknown): void {
  if (!isObject(payload)) fail('the payload must be an object.');
  const isInvoice = event.startsWith('invoice_');
  const invoice = isInvoice ? payload['invoice'] : undefined;
  if (invoice !== undefined && !isObject(invoice)) fail('payload.invoice must be an object.');
  const fixed =
    ['event', 'organization'].find((name) => Object.hasOwn(payload, name)) ??
    Object.keys(invoice ?? {}).find((name) => !INVOICE_FIELDS.has(name));
  if (fixed !== undefined) fail(`its payload cannot set ${fixed}.`);
  // Other events send unknown fields as given; invoice events use only `invoice`.
  const unknown = isInvoice && Object.keys(payload).find((name) => name !== 'invoice');
  if (unknown) fail(`its payload has no field ${unknown}.${didYouMean(unknown, ['invoice'])}`);
  const error = firstError(SCHEMAS[event], {
    ...DEFAULTS[event],
    ...payload,
    ...(invoice !== undefined && { invoice: { ...INVOICE, ...invoice } }),
    event,
    organization: 'org',
  });
  if (error !== undefined) fail(error);
}
