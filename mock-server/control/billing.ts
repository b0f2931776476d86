import { invoiceFacts, settleInvoice, USUAL_FAILURE } from '../domain/billing.ts';
import type { Context } from '../domain/context.ts';
import type { Invoice } from '../domain/records.ts';
import { assertArguments, notFound, resultOf } from './arguments.ts';
import { organizationRules } from './organizations/organizations.ts';

/** An invoice as its events carry it, with its organization. */
export type InvoiceView = ReturnType<typeof invoiceFacts> & {
  /** Identifier of the organization. */
  readonly organization: string;
};

/** The invoices of the organizations. */
export interface Billing {
  /** Lists the invoices of one organization, or of all, oldest first. */
  list(options?: {
    /** Only invoices of this organization. */
    readonly organization?: string;
  }): InvoiceView[];
  /**
   * Pays an open or failed invoice and sends `invoice_paid`.
   *
   * @throws ControlError `not_found`, or `invalid_state` when it is already paid
   */
  pay(id: string): InvoiceView;
  /**
   * Fails the payment of an invoice and sends `invoice_payment_failed`.
   *
   * @param reason Becomes `failureReason`; `card_declined` by default.
   * @throws ControlError `not_found`, or `invalid_state` when it is already paid
   */
  fail(id: string, reason?: string): InvoiceView;
}

export function createBilling(context: Context): Billing {
  const settle = (id: string, failureReason?: string): InvoiceView =>
    context.store.transaction(() => {
      const settled = settleInvoice(context, findInvoice(context, id), failureReason);
      return invoiceView(resultOf(settled).invoice);
    });
  return {
    list(options = {}) {
      assertArguments('Failed to list the invoices', options, organizationRules);
      const { organization } = options;
      const owned = organization === undefined ? {} : { index: 'organization', key: organization };
      return context.store.table('invoices').oldest(owned).map(invoiceView);
    },
    pay: (id) => settle(id),
    fail: (id, reason = USUAL_FAILURE) => settle(id, reason),
  };
}

/** If an organization is given, invoices of other organizations are treated as missing. */
export function findInvoice(context: Context, id: string, organization?: string): Invoice {
  const invoice = context.store.table('invoices').get(id);
  const foreign = organization !== undefined && invoice?.organization !== organization;
  if (!invoice || foreign) throw notFound('invoice', id);
  return invoice;
}

export function invoiceView(invoice: Invoice): InvoiceView {
  return { ...invoiceFacts(invoice), organization: invoice.organization };
}
