import { failInvoice, invoiceFacts, payInvoice, type Settlement } from '../domain/billing.ts';
import type { Context } from '../domain/context.ts';
import type { Invoice } from '../domain/records.ts';
import { isRejection, type Rejection } from '../domain/rejection.ts';
import { ControlError } from './control-error.ts';

/** An invoice as its events show it, and whose it is. */
export type InvoiceView = ReturnType<typeof invoiceFacts> & { readonly organization: string };

export interface Billing {
  /** Invoices, oldest first; of one organization if given. */
  list(options?: { readonly organization?: string }): InvoiceView[];
  /**
   * Pays an open or failed invoice and sends `invoice_paid`.
   * @throws ControlError `not_found`, `invalid_state`
   */
  pay(id: string): InvoiceView;
  /**
   * Lets the payment of an invoice fail and sends `invoice_payment_failed`.
   * @throws ControlError `not_found`, `invalid_state`
   */
  fail(id: string, reason?: string): InvoiceView;
}

const view = (invoice: Invoice): InvoiceView => ({
  ...invoiceFacts(invoice),
  organization: invoice.organization,
});

/** Of one organization if given: another's is as absent as none. */
export function findInvoice(context: Context, id: string, organization?: string): Invoice {
  const invoice = context.store.table('invoices').get(id);
  const foreign = organization !== undefined && invoice?.organization !== organization;
  if (!invoice || foreign) throw new ControlError('not_found', 'No such invoice.');
  return invoice;
}

export function settled(settlement: Settlement | Rejection): Settlement {
  if (!isRejection(settlement)) return settlement;
  throw new ControlError('invalid_state', settlement.detail);
}

export function createBilling(context: Context): Billing {
  const run = (work: () => Settlement | Rejection): InvoiceView =>
    context.store.transaction(() => view(settled(work()).invoice));
  return {
    list({ organization } = {}) {
      const all = { limit: Number.POSITIVE_INFINITY };
      const where =
        organization === undefined ? all : { ...all, index: 'organization', key: organization };
      return context.store.table('invoices').oldest(where).map(view);
    },
    pay: (id) => run(() => payInvoice(context, findInvoice(context, id))),
    fail: (id, reason = 'card_declined') =>
      run(() => failInvoice(context, findInvoice(context, id), reason)),
  };
}
