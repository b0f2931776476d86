import type { Context } from './context.ts';
import { broadcast } from './deliveries.ts';
import { logChange } from './event-log.ts';
import { newId, nextNumber } from './ids.ts';
import type { Commit } from './job-runner.ts';
import { findOrganization } from './organizations.ts';
import { periodOf, timestamp } from './periods.ts';
import type { Delivery, Invoice } from './records.ts';
import { type Rejection, reject } from './rejection.ts';

const TOKENS_PER_CENT = 1000;

export type InvoiceFields = Partial<Omit<Invoice, 'id' | 'organization' | 'status'>>;

/** Opens an invoice. Omitted fields default to those of the current month. */
export function openInvoice(
  context: Context,
  organization: string,
  fields: InvoiceFields,
): Invoice {
  const { rngStream } = findOrganization(context, organization);
  const period = periodOf(fields.periodStart ?? context.ports.clock.now());
  const number = nextNumber(context.store, `invoices:${organization}`);
  const month = timestamp(period.start).slice(0, 7).replace('-', '');
  const invoice: Invoice = {
    amountDue: 0,
    amountPaid: 0,
    currency: 'usd',
    number: `INV-${month}-${String(number).padStart(4, '0')}`,
    periodStart: period.start,
    periodEnd: period.end,
    ...fields,
    id: newId(context, 'inv', rngStream),
    organization,
    status: 'open',
  };
  context.store.table('invoices').put(invoice);
  logInvoice(context, invoice);
  return invoice;
}

export function closePeriod(context: Context, usageId: string): Commit | undefined {
  const usage = context.store.table('usage').get(usageId);
  if (!usage) return undefined;
  return () => {
    openInvoice(context, usage.organization, {
      amountDue: Math.ceil(usage.used / TOKENS_PER_CENT),
      periodStart: usage.periodStart,
      periodEnd: periodOf(usage.periodStart).end,
    });
  };
}

export interface Settlement {
  readonly invoice: Invoice;
  readonly deliveries: readonly Delivery[];
}

/** Why a payment fails if no reason is given. */
export const USUAL_FAILURE = 'card_declined';

/** Pays an invoice or, given a reason, fails its payment, and notifies the registrations. */
export function settleInvoice(
  context: Context,
  { failureReason: _, ...invoice }: Invoice,
  failureReason?: string,
): Settlement | Rejection {
  if (invoice.status === 'paid') return reject('invalid_state', 'The invoice is already paid.');
  const isPaid = failureReason === undefined;
  const settled: Invoice = isPaid
    ? { ...invoice, status: 'paid', amountPaid: invoice.amountDue }
    : { ...invoice, status: 'payment_failed', failureReason };
  context.store.table('invoices').put(settled);
  logInvoice(context, settled);
  const event = isPaid ? 'invoice_paid' : 'invoice_payment_failed';
  const facts = { invoice: invoiceFacts(settled) };
  const deliveries = broadcast(context, invoice.organization, event, facts);
  return { invoice: settled, deliveries };
}

export function invoiceFacts({ organization: _, ...invoice }: Invoice) {
  return {
    ...invoice,
    periodStart: timestamp(invoice.periodStart),
    periodEnd: timestamp(invoice.periodEnd),
  };
}

function logInvoice(context: Context, invoice: Invoice): void {
  logChange(context, invoice, `invoice.${invoice.status}`, { amountDue: invoice.amountDue });
}
