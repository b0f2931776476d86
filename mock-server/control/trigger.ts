import { failInvoice, type InvoiceFields, openInvoice, payInvoice } from '../domain/billing.ts';
import type { Context } from '../domain/context.ts';
import { type DataUpdate, updateData } from '../domain/data-sync.ts';
import { broadcast } from '../domain/notify.ts';
import type { Delivery, Json, SystemEvent } from '../domain/records.ts';
import { shareOf, usageFacts, usageOf } from '../domain/usage.ts';
import { findInvoice, settled } from './billing.ts';
import { ControlError } from './control-error.ts';
import { type DeliveryView, deliveryView } from './logs.ts';
import { checkPayload } from './trigger-payload.ts';

/** Members of the event's payload; what is missing gets a fitting value. */
export interface TriggerPayloads {
  usage_threshold: {
    readonly usage?: number;
    readonly threshold?: number;
    readonly quota?: number;
  };
  invoice_paid: { readonly invoice?: InvoiceInput };
  invoice_payment_failed: { readonly invoice?: InvoiceInput };
  data_updated: DataUpdate;
}

/** With the `id` of an invoice that exists, that one is settled; else one is opened first. */
export interface InvoiceInput {
  readonly id?: string;
  readonly amountDue?: number;
  readonly currency?: string;
  readonly number?: string;
  readonly failureReason?: string;
}

type Trigger = (context: Context, organization: string, payload: never) => readonly Delivery[];

function invoiceFor(context: Context, organization: string, input: InvoiceInput = {}) {
  const { id, failureReason: _, ...fields } = input;
  if (id !== undefined) return findInvoice(context, id, organization);
  return openInvoice(context, organization, { amountDue: 4200, ...fields } as InvoiceFields);
}

const triggers: { readonly [Event in SystemEvent]: Trigger } = {
  usage_threshold(context, organization, payload: TriggerPayloads['usage_threshold']) {
    const { organization: owner, period, used } = usageOf(context, organization);
    const facts = usageFacts(used, Math.floor(shareOf(owner.quota, 0.9)), owner.quota, period);
    return broadcast(context, organization, 'usage_threshold', { ...facts, ...payload });
  },
  invoice_paid(context, organization, { invoice }: TriggerPayloads['invoice_paid']) {
    return settled(payInvoice(context, invoiceFor(context, organization, invoice))).deliveries;
  },
  invoice_payment_failed(
    context,
    organization,
    { invoice }: TriggerPayloads['invoice_payment_failed'],
  ) {
    const reason = invoice?.failureReason ?? 'card_declined';
    return settled(failInvoice(context, invoiceFor(context, organization, invoice), reason))
      .deliveries;
  },
  data_updated: (context, organization, payload: DataUpdate) =>
    updateData(context, organization, payload),
};

/** Raises an event as the service would; answers what was queued for whom listens. */
export function trigger(
  context: Context,
  event: string,
  payload: Json | object,
  organization: string,
): DeliveryView[] {
  if (!Object.hasOwn(triggers, event)) {
    const known = Object.keys(triggers).join(', ');
    throw new ControlError('validation_failed', `No such event: ${event}. Known: ${known}.`);
  }
  if (!context.store.table('organizations').get(organization)) {
    throw new ControlError('not_found', 'No such organization.');
  }
  checkPayload(event as SystemEvent, payload);
  const raise = triggers[event as SystemEvent] as (
    context: Context,
    organization: string,
    payload: object,
  ) => readonly Delivery[];
  return context.store
    .transaction(() => raise(context, organization, payload as object))
    .map(deliveryView);
}
