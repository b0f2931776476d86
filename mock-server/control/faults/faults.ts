import { operationDetails } from '../../api/routes.ts';
import type { Context } from '../../domain/context.ts';
import { callbackEvents, systemEvents } from '../../domain/event-names.ts';
import type { DeliveryEffects, OperationEffects } from '../../domain/fault-effects.ts';
import {
  count,
  didYouMean,
  integerFrom,
  invalidOption,
  matches,
  mustBe,
  numberFrom,
  type OptionRules,
  text,
} from '../../domain/options.ts';
import type { Fault } from '../../domain/records.ts';
import { addFault } from '../../domain/take-fault.ts';
import { assertArgument, assertOrganization } from '../arguments.ts';

type OneOf<Effects> = { readonly [Name in keyof Effects]: Pick<Effects, Name> }[keyof Effects];

/** What goes with the effect `status`. */
interface StatusDetails {
  /** The problem's code, in snake_case. @default the code that fits the status */
  readonly code?: string;
  /** Whole seconds, at least 1, sent as `Retry-After`: how long clients wait. @default no such header */
  readonly retryAfter?: number;
}

/** What a fault does to an operation: exactly one effect. */
export type OperationEffect =
  | OneOf<OperationEffects>
  | (Pick<OperationEffects, 'status'> & StatusDetails);

/** What a fault does to one attempt of a delivery: exactly one effect. */
export type DeliveryEffect = OneOf<DeliveryEffects>;

interface Chance {
  /** Affects only this organization, so that tests that share a server do not disturb each other. @default all of them */
  readonly organization?: string;
  /** How many times the fault takes effect before it is removed. @default no limit */
  readonly times?: number;
  /** 0 to 1, drawn from the seed for each matching call or attempt. @default 1 */
  readonly probability?: number;
}

/** A fault for an operation, by operationId, or for deliveries, by event; `'*'` matches all of them. */
export type FaultOptions =
  | (Chance & {
      /** The operation that is affected, by its id. */
      readonly operation: string;
      /** What happens. */
      readonly effect: OperationEffect;
    })
  | (Chance & {
      /** The event whose deliveries are affected, by its type. */
      readonly delivery: string;
      /** What happens. */
      readonly effect: DeliveryEffect;
    });

/** Faults that tests add. */
export interface Faults {
  /**
   * Adds a fault. If several match, the one added first takes effect.
   *
   * @throws ControlError `validation_failed`, or `not_found` for an unknown `organization`
   */
  add(fault: FaultOptions): {
    /** Identifier of the fault, for `remove`. */
    readonly id: string;
  };
  /** Lists the faults that can still take effect. */
  list(): readonly Fault[];
  /** Returns whether there was a fault with that id. */
  remove(id: string): boolean;
  /** Removes every fault. */
  clear(): void;
}

type Kind = 'operation' | 'delivery';

/** What a fault or a hold can name. */
export const targets: Readonly<Record<Kind, readonly string[]>> = {
  operation: Object.keys(operationDetails),
  delivery: [...callbackEvents, ...systemEvents],
};

const isTrue = mustBe('true', (value) => value === true);
const snakeCase = mustBe('in snake_case, at most 64 characters', matches(/^[a-z][a-z0-9_]{0,63}$/));
const status = mustBe(
  'an integer from 200 to 599 except 204, 205 and 304',
  (value) => !integerFrom(200, 599)(value) && ![204, 205, 304].includes(Number(value)),
);

const CHANCE: OptionRules<Chance> = {
  organization: text,
  times: integerFrom(1),
  probability: numberFrom('a number from 0 to 1', 0, 1),
};

const EFFECTS: {
  readonly operation: OptionRules<OperationEffects>;
  readonly delivery: OptionRules<DeliveryEffects>;
} = {
  operation: {
    status,
    delay: count,
    drop: isTrue,
    loseAnswer: isTrue,
    truncate: count,
    cutStream: mustBe(
      '{ after: n }, with n of at least 0',
      (value) => !count(Object(value).after) && Object.keys(Object(value)).length === 1,
    ),
    stall: isTrue,
    malformed: isTrue,
  },
  delivery: {
    drop: isTrue,
    delay: count,
    reorder: isTrue,
    loseAnswer: isTrue,
    duplicate: count,
    badSignature: isTrue,
    staleTimestamp: count,
  },
};
/** Fields that are only allowed next to `status`. */
const STATUS_FIELDS: OptionRules<StatusDetails> = {
  code: snakeCase,
  retryAfter: integerFrom(1),
};

function findEffectError(kind: Kind, effect: object): string | undefined {
  const fields = Object.entries(effect ?? {});
  const effects = fields.filter(([name]) => Object.hasOwn(EFFECTS[kind], name));
  if (effects.length !== 1) {
    const known = Object.keys(EFFECTS[kind]).join(', ');
    return `the effect on ${kind === 'operation' ? 'an operation' : 'a delivery'} must be exactly one of ${known}.`;
  }
  const rules = { ...EFFECTS[kind], ...(effects[0]?.[0] === 'status' && STATUS_FIELDS) };
  const extra = fields.find(([name, value]) => value !== undefined && !Object.hasOwn(rules, name));
  if (extra) return `effect.${extra[0]} is not a field of this effect.`;
  const invalid = invalidOption(Object(effect), rules);
  return invalid && `effect.${invalid.name} ${invalid.problem}`;
}

function placeOf(unknown: string): string {
  const effects = { ...EFFECTS.operation, ...STATUS_FIELDS, ...EFFECTS.delivery };
  if (Object.hasOwn(effects, unknown)) return ` Put it under effect: { ${unknown}: … }.`;
  return didYouMean(unknown, [...Object.keys(targets), ...Object.keys(CHANCE), 'effect']);
}

/**
 * Returns what is wrong with a fault, or undefined. A fault that could never take effect is wrong too, because a test
 * that adds it would pass without testing anything.
 */
export function findFaultError(fault: FaultOptions): string | undefined {
  const { times, probability, organization, effect, ...target } = Object(fault) as FaultOptions;
  const unknown = Object.keys(target).find((name) => !Object.hasOwn(targets, name));
  if (unknown !== undefined) return `it has no field ${unknown}.${placeOf(unknown)}`;
  const { operation, delivery } = target as { operation?: unknown; delivery?: unknown };
  if ((operation === undefined) === (delivery === undefined)) {
    return 'pass either operation or delivery.';
  }
  const kind = operation === undefined ? 'delivery' : 'operation';
  const name = String(operation ?? delivery);
  if (name !== '*' && !targets[kind].includes(name)) {
    return `there is no ${kind} ${name}.${didYouMean(name, targets[kind])} Pass '*' or one of ${targets[kind].join(', ')}.`;
  }
  const invalid = invalidOption({ organization, times, probability }, CHANCE);
  if (invalid) return `${invalid.name} ${invalid.problem}`;
  return findEffectError(kind, effect);
}

export function createFaults(context: Context): Faults {
  const table = context.store.table('faults');
  return {
    add(fault) {
      const error = findFaultError(fault);
      assertArgument(error === undefined, `Failed to add the fault: ${error}`);
      assertOrganization(context, fault.organization);
      const { id } = addFault(context, fault as Omit<Fault, 'id'>);
      return { id };
    },
    list: () => table.oldest(),
    remove: (id) => table.delete(id),
    clear() {
      for (const { id } of table.oldest()) table.delete(id);
    },
  };
}

/** Names the faults that nothing has matched: a misspelled test passes, because nothing goes wrong in it. */
export function describeUnusedFaults({ store }: Context): string | undefined {
  const unused = store
    .table('faults')
    .oldest()
    .filter(({ matched }) => !matched)
    .map(({ operation, delivery }) => operation ?? delivery);
  if (unused.length === 0) return undefined;
  return `The mock was closed before a call or delivery matched these faults: ${unused.join(', ')}.`;
}
