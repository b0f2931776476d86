import { failInvoice, invoiceFacts, payInvoice, type Settlement } from '../domain/billing.ts';
import type { World } from '../domain/context.ts';
import type { Invoice } from '../domain/records.ts';
import { isRefusal, type Refusal } from '../domain/rejection.ts';
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
export function findInvoice(world: World, id: string, organization?: string): Invoice {
  const invoice = world.store.table('invoices').get(id);
  const foreign = organization !== undefined && invoice?.organization !== organization;
  if (!invoice || foreign) throw new ControlError('not_found', 'No such invoice.');
  return invoice;
}

export function settled(settlement: Settlement | Refusal): Settlement {
  if (!isRefusal(settlement)) return settlement;
  throw new ControlError('invalid_state', settlement.detail);
}

export function createBilling(world: World): Billing {
  const run = (work: () => Settlement | Refusal): InvoiceView =>
    world.store.transaction(() => view(settled(work()).invoice));
  return {
    list({ organization } = {}) {
      const all = { limit: Number.POSITIVE_INFINITY };
      const where =
        organization === undefined ? all : { ...all, index: 'organization', key: organization };
      return world.store.table('invoices').oldest(where).map(view);
    },
    pay: (id) => run(() => payInvoice(world, findInvoice(world, id))),
    fail: (id, reason = 'card_declined') =>
      run(() => failInvoice(world, findInvoice(world, id), reason)),
  };
}
