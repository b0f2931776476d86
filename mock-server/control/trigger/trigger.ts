import { type SchemaName, schemaErrors } from '../../api/schema-errors.ts';
import type { components } from '../../contract.ts';
import {
  type InvoiceFields,
  openInvoice,
  settleInvoice,
  USUAL_FAILURE,
} from '../../domain/billing.ts';
import type { Context } from '../../domain/context.ts';
import { broadcast } from '../../domain/deliveries.ts';
import { appendEvent } from '../../domain/event-log.ts';
import { callbackEvents, payloads, systemEvents } from '../../domain/event-names.ts';
import { didYouMean, isObject } from '../../domain/options.ts';
import { timestamp } from '../../domain/periods.ts';
import type { Delivery, SystemEvent } from '../../domain/records.ts';
import { usageOf } from '../../domain/usage.ts';
import { DEFAULT_THRESHOLD, shareOf, usageFacts } from '../../domain/usage-thresholds.ts';
import { assertArgument, assertOrganization, resultOf } from '../arguments.ts';
import { findInvoice } from '../billing.ts';
import { type DeliveryView, deliveryView } from '../logs/logs.ts';
import { type CallbackInput, type Some, triggerCallback } from './trigger-callback.ts';

type Schemas = components['schemas'];

/** Fields of each event's payload; omitted fields get plausible values. */
export interface TriggerPayloads {
  /** The usage of an organization reached a threshold. */
  usage_threshold: Some<Schemas['UsageThresholdEvent'], 'usage' | 'threshold' | 'quota'>;
  /** An invoice was paid. */
  invoice_paid: {
    /** The invoice that is paid. */
    readonly invoice?: InvoiceInput;
  };
  /** The payment of an invoice failed. */
  invoice_payment_failed: {
    /** The invoice whose payment fails. */
    readonly invoice?: InvoiceInput;
  };
  /** Data was updated. */
  data_updated: Some<Schemas['DataUpdatedEvent'], 'source' | 'reason' | 'records' | 'updatedAt'>;
  /** A result callback: sent to the generation's own `webhookUrl`, not to registrations. */
  generation_completed: CallbackInput;
  /** A result callback like `generation_completed`, but of a generation that failed. */
  generation_failed: CallbackInput;
}

/** Everything that can be triggered. */
export type TriggerEvent = keyof TriggerPayloads;

export const triggerEvents: readonly TriggerEvent[] = [...systemEvents, ...callbackEvents];

/**
 * The invoice to pay or fail. With `id` it must exist; without it, a new one is opened, for 42.00 by default. A payment fails
 * with the reason `card_declined` by default.
 */
export type InvoiceInput = Some<
  Schemas['Invoice'],
  'id' | 'amountDue' | 'currency' | 'number' | 'failureReason'
>;

type Trigger = (context: Context, organization: string, payload: never) => readonly Delivery[];

const triggers: { readonly [Event in SystemEvent]: Trigger } = {
  usage_threshold(context, organization, payload: TriggerPayloads['usage_threshold']) {
    const { organization: owner, period, used } = usageOf(context, organization);
    const { threshold = Math.floor(shareOf(owner.quota, DEFAULT_THRESHOLD)) } = payload;
    // The service sends it only once the usage has reached the threshold.
    const facts = usageFacts(Math.max(used, threshold), threshold, owner.quota, period);
    return broadcast(context, organization, 'usage_threshold', { ...facts, ...payload });
  },
  invoice_paid(context, organization, { invoice }: TriggerPayloads['invoice_paid']) {
    return settle(context, organization, invoice);
  },
  invoice_payment_failed(
    context,
    organization,
    { invoice }: TriggerPayloads['invoice_payment_failed'],
  ) {
    return settle(context, organization, invoice, invoice?.failureReason ?? USUAL_FAILURE);
  },
  data_updated(context, organization, payload: TriggerPayloads['data_updated']) {
    const facts = {
      source: 'default',
      reason: 'ingestion_completed',
      records: 1,
      updatedAt: timestamp(context.ports.clock.now()),
      ...payload,
    };
    appendEvent(context, { type: 'data.updated', organization, data: facts });
    return broadcast(context, organization, 'data_updated', facts);
  },
};

function settle(
  context: Context,
  organization: string,
  { id, failureReason: _, ...fields }: InvoiceInput = {},
  failure?: string,
): readonly Delivery[] {
  const invoice =
    id === undefined
      ? openInvoice(context, organization, { amountDue: 4200, ...fields } as InvoiceFields)
      : findInvoice(context, id, organization);
  return resultOf(settleInvoice(context, invoice, failure)).deliveries;
}

/** Raises an event as the service would and returns the deliveries that it queued. */
export function trigger(
  context: Context,
  event: TriggerEvent,
  payload: object,
  organization: string,
): DeliveryView[] {
  assertArgument(
    triggerEvents.includes(event),
    `There is no event ${event}. Pass one of ${triggerEvents.join(', ')}.`,
  );
  assertOrganization(context, organization);
  const raise = () => {
    if (event === 'generation_completed' || event === 'generation_failed') {
      return triggerCallback(context, event, payload, organization);
    }
    checkPayload(event, payload);
    return triggers[event](context, organization, payload as never);
  };
  return context.store.transaction(raise).map(deliveryView);
}

const INVOICE_FIELDS = new Set(['id', 'amountDue', 'currency', 'number', 'failureReason']);

/** Throws unless the fields of this payload match the contract; those that it leaves out get plausible values. */
function checkPayload(event: SystemEvent, payload: unknown): void {
  const check = (condition: boolean, problem: string) =>
    assertArgument(condition, `Failed to trigger the event: ${problem}`);
  check(isObject(payload), 'the payload must be an object.');
  const given = payload as Readonly<Record<string, unknown>>;
  // Other events send unknown fields as given; invoice events use only `invoice`.
  const isInvoice = event.startsWith('invoice_');
  const invoice = isInvoice ? Object.keys(Object(given['invoice'])) : [];
  const fixed =
    ['event', 'organization'].find((name) => Object.hasOwn(given, name)) ??
    invoice.find((name) => !INVOICE_FIELDS.has(name));
  check(fixed === undefined, `its payload cannot set ${fixed}.`);
  const unknown = Object.keys(given).find((name) => isInvoice && name !== 'invoice') ?? '';
  check(!unknown, `its payload has no field ${unknown}.${didYouMean(unknown, ['invoice'])}`);
  const errors = schemaErrors(payloads[event] as SchemaName, {
    ...given,
    event,
    organization: 'org',
  });
  const error = errors.find(({ code }) => code !== 'required');
  check(error === undefined, String(error?.message));
}
