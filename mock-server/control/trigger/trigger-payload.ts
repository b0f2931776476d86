import { type SchemaName, schemaErrors } from '../../api/schema-errors.ts';
import { payloads } from '../../domain/event-names.ts';
import { didYouMean, isObject } from '../../domain/options.ts';
import type { SystemEvent } from '../../domain/records.ts';
import { assertArgument } from '../arguments.ts';

const INVOICE_FIELDS = new Set(['id', 'amountDue', 'currency', 'number', 'failureReason']);

/** Throws unless the fields of this payload match the contract; those that it leaves out get plausible values. */
export function checkPayload(event: SystemEvent, payload: unknown): void {
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
