import { operationDetails } from '../api/routes.ts';
import type { Context } from '../domain/context.ts';
import { addFault } from '../domain/faults.ts';
import type { CallbackEvent, Fault, SystemEvent } from '../domain/records.ts';
import { ControlError } from './control-error.ts';

/** What a fault does to an operation's answer; `status` alone keeps the operation from running. */
export type OperationEffect =
  | {
      /** 200 to 599, but none without a body (204, 205, 304): a problem document of that status. */
      readonly status: number;
      readonly code?: string;
      /** Whole seconds. */
      readonly retryAfter?: number;
    }
  | {
      /** Milliseconds of wall time before the operation runs. */
      readonly delay: number;
    }
  | { readonly drop: true }
  | {
      /** Bytes of the body that arrive before the connection breaks. */
      readonly truncate: number;
    }
  | { readonly stall: true }
  | { readonly malformed: true };

/** What a fault does to one attempt of a delivery. */
export type DeliveryEffect =
  | { readonly drop: true }
  | {
      /** Milliseconds. */
      readonly delay: number;
    }
  | {
      /** Copies sent beside the first. */
      readonly duplicate: number;
    }
  | { readonly badSignature: true }
  | {
      /** Seconds that the signed timestamp lies back. */
      readonly staleTimestamp: number;
    };

interface Chance {
  /** How often it strikes. @default always */
  readonly times?: number;
  /** 0 to 1, drawn under the seed. @default 1 */
  readonly probability?: number;
}

/** A fault to arm: on an operation by its operationId, or on deliveries by their event; `'*'` is any. */
export type FaultOptions =
  | (Chance & { readonly operation: string; readonly effect: OperationEffect })
  | (Chance & { readonly delivery: string; readonly effect: DeliveryEffect });

export interface Faults {
  /** @throws ControlError `validation_failed` */
  add(fault: FaultOptions): { readonly id: string };
  list(): readonly Fault[];
  /** Whether there was one. */
  remove(id: string): boolean;
  clear(): void;
}

type Kind = 'operation' | 'delivery';
/** What is wrong with a value, if anything. */
type Check = (value: unknown) => string | undefined;

const on: Check = (value) => (value === true ? undefined : 'must be true');
const count: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? undefined
    : 'must be a whole number of at least 0';
const BODILESS: readonly unknown[] = [204, 205, 304];
const status: Check = (value) =>
  count(value) === undefined && Number(value) >= 200 && Number(value) <= 599
    ? BODILESS.includes(value)
      ? 'must be one that has a body'
      : undefined
    : 'must be 200 to 599';
const code: Check = (value) =>
  typeof value === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(value)
    ? undefined
    : 'must be in snake_case';

const EFFECTS: Readonly<Record<Kind, Readonly<Record<string, Check>>>> = {
  operation: { status, delay: count, drop: on, truncate: count, stall: on, malformed: on },
  delivery: { drop: on, delay: count, duplicate: count, badSignature: on, staleTimestamp: count },
};
/** What may stand beside `status`. */
const EXTRAS: Readonly<Record<string, Check>> = { code, retryAfter: count };

const DELIVERIES: Readonly<Record<SystemEvent | CallbackEvent, true>> = {
  generation_completed: true,
  generation_failed: true,
  usage_threshold: true,
  invoice_paid: true,
  invoice_payment_failed: true,
  data_updated: true,
};
const TARGETS: Readonly<Record<Kind, object>> = {
  operation: operationDetails,
  delivery: DELIVERIES,
};

function refuse(message: string): never {
  throw new ControlError('validation_failed', `Failed to add a fault: ${message}`);
}

function checkEffect(kind: Kind, effect: object): void {
  const members = Object.entries(effect ?? {});
  const named = members.filter(([name]) => Object.hasOwn(EFFECTS[kind], name));
  if (named.length !== 1) {
    const known = Object.keys(EFFECTS[kind]).join(', ');
    refuse(`effect of ${kind} must be exactly one of ${known}.`);
  }
  const extras = named[0]?.[0] === 'status' ? EXTRAS : {};
  const checks = new Map(Object.entries({ ...EFFECTS[kind], ...extras }));
  for (const [name, value] of members) {
    if (value === undefined) continue;
    const check = checks.get(name) ?? (() => 'does not belong to this effect');
    const fault = check(value);
    if (fault !== undefined) refuse(`${name} ${fault}.`);
  }
}

/** Throws unless it can strike: a fault that never would is a mistake that a test would not notice. */
export function checkFault(fault: FaultOptions): void {
  const { times, probability, effect, ...target } = Object(fault) as FaultOptions;
  const stray = Object.keys(target).find((name) => !Object.hasOwn(TARGETS, name));
  if (stray !== undefined) refuse(`there is no member ${stray}.`);
  const { operation, delivery } = target as { operation?: unknown; delivery?: unknown };
  if ((operation === undefined) === (delivery === undefined)) {
    refuse('name exactly one of operation and delivery.');
  }
  const kind = operation === undefined ? 'delivery' : 'operation';
  const name = String(operation ?? delivery);
  if (name !== '*' && !Object.hasOwn(TARGETS[kind], name)) {
    refuse(`no ${kind} is called ${name}. Known: ${Object.keys(TARGETS[kind]).join(', ')}, *.`);
  }
  if (times !== undefined && !(Number.isInteger(times) && times >= 1)) {
    refuse('times must be a whole number of at least 1.');
  }
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
    refuse('probability must be 0 to 1.');
  }
  checkEffect(kind, effect);
}

export function createFaults(context: Context): Faults {
  const table = context.store.table('faults');
  return {
    add(fault) {
      checkFault(fault);
      const { id } = addFault(context, fault as Omit<Fault, 'id'>);
      return { id };
    },
    list: () => table.oldest({ limit: Number.POSITIVE_INFINITY }),
    remove: (id) => table.delete(id),
    clear() {
      for (const { id } of table.oldest({ limit: Number.POSITIVE_INFINITY })) table.delete(id);
    },
  };
}
