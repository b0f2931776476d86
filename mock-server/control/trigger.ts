import { failInvoice, type InvoiceFields, openInvoice, payInvoice } from '../domain/billing.ts';
import type { World } from '../domain/context.ts';
import { type DataUpdate, updateData } from '../domain/data-sync.ts';
import { broadcast } from '../domain/notify.ts';
import type { Json } from '../domain/ports.ts';
import { shareOf } from '../domain/quota-share.ts';
import type { Delivery, SystemEvent } from '../domain/records.ts';
import { usageFacts, usageOf } from '../domain/usage.ts';
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

type Trigger = (world: World, organization: string, payload: never) => readonly Delivery[];

function invoiceFor(world: World, organization: string, input: InvoiceInput = {}) {
  const { id, failureReason: _, ...fields } = input;
  if (id !== undefined) return findInvoice(world, id, organization);
  return openInvoice(world, organization, { amountDue: 4200, ...fields } as InvoiceFields);
}

const triggers: { readonly [Event in SystemEvent]: Trigger } = {
  usage_threshold(world, organization, payload: TriggerPayloads['usage_threshold']) {
    const { organization: owner, period, used } = usageOf(world, organization);
    const facts = usageFacts(used, Math.floor(shareOf(owner.quota, 0.9)), owner.quota, period);
    return broadcast(world, organization, 'usage_threshold', { ...facts, ...payload });
  },
  invoice_paid(world, organization, { invoice }: TriggerPayloads['invoice_paid']) {
    return settled(payInvoice(world, invoiceFor(world, organization, invoice))).deliveries;
  },
  invoice_payment_failed(
    world,
    organization,
    { invoice }: TriggerPayloads['invoice_payment_failed'],
  ) {
    const reason = invoice?.failureReason ?? 'card_declined';
    return settled(failInvoice(world, invoiceFor(world, organization, invoice), reason)).deliveries;
  },
  data_updated: (world, organization, payload: DataUpdate) =>
    updateData(world, organization, payload),
};

/** Raises an event as the service would; answers what was queued for whom listens. */
export function trigger(
  world: World,
  event: string,
  payload: Json | object,
  organization: string,
): DeliveryView[] {
  if (!Object.hasOwn(triggers, event)) {
    const known = Object.keys(triggers).join(', ');
    throw new ControlError('validation_failed', `No such event: ${event}. Known: ${known}.`);
  }
  if (!world.store.table('organizations').get(organization)) {
    throw new ControlError('not_found', 'No such organization.');
  }
  checkPayload(event as SystemEvent, payload);
  const raise = triggers[event as SystemEvent] as (
    world: World,
    organization: string,
    payload: object,
  ) => readonly Delivery[];
  return world.store
    .transaction(() => raise(world, organization, payload as object))
    .map(deliveryView);
}
