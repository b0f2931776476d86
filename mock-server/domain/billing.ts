import type { World } from './context.ts';
import { counters } from './counters.ts';
import { logChange } from './event-log.ts';
import { newId } from './ids.ts';
import { broadcast } from './notify.ts';
import { findOrganization } from './organizations.ts';
import { periodOf, timestamp } from './periods.ts';
import type { Delivery, Invoice } from './records.ts';
import { type Refusal, refuse } from './rejection.ts';
import type { Commit } from './scheduler.ts';

const TOKENS_PER_CENT = 1000;

export type InvoiceFields = Partial<Omit<Invoice, 'id' | 'organization' | 'status'>>;

/** Opens an invoice; what is not given is that of the current month. */
export function openInvoice(world: World, organization: string, fields: InvoiceFields): Invoice {
  const { ordinal } = findOrganization(world, organization);
  const period = periodOf(fields.periodStart ?? world.ports.clock.now());
  const number = counters(world.store).next(`invoices:${organization}`);
  const month = timestamp(period.start).slice(0, 7).replace('-', '');
  const invoice: Invoice = {
    amountDue: 0,
    amountPaid: 0,
    currency: 'usd',
    number: `INV-${month}-${String(number).padStart(4, '0')}`,
    periodStart: period.start,
    periodEnd: period.end,
    ...fields,
    id: newId(world, 'inv', ordinal),
    organization,
    status: 'open',
  };
  world.store.table('invoices').put(invoice);
  logInvoice(world, invoice);
  return invoice;
}

/** The job at a month's end: what was used becomes an invoice. */
export function closePeriod(world: World, usageId: string): Commit | undefined {
  const usage = world.store.table('usage').get(usageId);
  if (!usage) return undefined;
  return () => {
    openInvoice(world, usage.organization, {
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

export function payInvoice(world: World, invoice: Invoice): Settlement | Refusal {
  if (invoice.status === 'paid') return refuse('invalid_state', 'The invoice is paid already.');
  const { failureReason: _, ...rest } = invoice;
  return settle(world, { ...rest, status: 'paid', amountPaid: invoice.amountDue }, 'invoice_paid');
}

export function failInvoice(world: World, invoice: Invoice, reason: string): Settlement | Refusal {
  if (invoice.status === 'paid') return refuse('invalid_state', 'The invoice is paid already.');
  return settle(
    world,
    { ...invoice, status: 'payment_failed', failureReason: reason },
    'invoice_payment_failed',
  );
}

function settle(
  world: World,
  invoice: Invoice,
  event: 'invoice_paid' | 'invoice_payment_failed',
): Settlement {
  world.store.table('invoices').put(invoice);
  logInvoice(world, invoice);
  const deliveries = broadcast(world, invoice.organization, event, {
    invoice: invoiceFacts(invoice),
  });
  return { invoice, deliveries };
}

/** An invoice as events and control show it. */
export function invoiceFacts({ organization: _, ...invoice }: Invoice) {
  return {
    ...invoice,
    periodStart: timestamp(invoice.periodStart),
    periodEnd: timestamp(invoice.periodEnd),
  };
}

function logInvoice(world: World, invoice: Invoice): void {
  logChange(world, invoice, `invoice.${invoice.status}`, { amountDue: invoice.amountDue });
}
