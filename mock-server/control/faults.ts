import { addFault } from '../domain/faults.ts';
import type { Fault } from '../domain/records.ts';
import type { World } from '../domain/world.ts';
import { ControlError } from './control-error.ts';

/** What a fault does to an operation's answer; `status` alone keeps the operation from running. */
export type OperationEffect =
  | {
      /** 100 to 599: a problem document of that status. */
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

const EFFECTS = {
  operation: ['status', 'delay', 'drop', 'truncate', 'stall', 'malformed'],
  delivery: ['drop', 'delay', 'duplicate', 'badSignature', 'staleTimestamp'],
};
const EXTRAS = new Set(['code', 'retryAfter']);

function refuse(message: string): never {
  throw new ControlError('validation_failed', `Failed to add a fault: ${message}`);
}

function checkEffect(kind: 'operation' | 'delivery', effect: object): void {
  const names = Object.keys(effect ?? {}).filter((name) => !EXTRAS.has(name));
  const [name] = names;
  if (names.length !== 1 || name === undefined || !EFFECTS[kind].includes(name)) {
    refuse(`effect of ${kind} must be exactly one of ${EFFECTS[kind].join(', ')}.`);
  }
  const value = (effect as Readonly<Record<string, unknown>>)[name as string];
  if (value === true) return;
  const isCount = typeof value === 'number' && Number.isFinite(value) && value >= 0;
  if (!isCount) refuse(`${name} must be a number of at least 0.`);
  if (name === 'status' && (!Number.isInteger(value) || value < 200 || value > 599)) {
    refuse('status must be 200 to 599.');
  }
}

export function checkFault(fault: FaultOptions): void {
  const { times, probability, effect } = fault;
  const kinds = (['operation', 'delivery'] as const).filter(
    (kind) => typeof (fault as unknown as Readonly<Record<string, unknown>>)[kind] === 'string',
  );
  const [kind] = kinds;
  if (kinds.length !== 1 || !kind) refuse('name exactly one of operation and delivery.');
  if (times !== undefined && !(Number.isInteger(times) && times >= 1)) {
    refuse('times must be a whole number of at least 1.');
  }
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
    refuse('probability must be 0 to 1.');
  }
  checkEffect(kind as 'operation' | 'delivery', effect);
}

export function createFaults(world: World): Faults {
  const table = world.store.table('faults');
  return {
    add(fault) {
      checkFault(fault);
      const { id } = addFault(world, fault as Omit<Fault, 'id'>);
      return { id };
    },
    list: () => table.oldest({ limit: Number.POSITIVE_INFINITY }),
    remove: (id) => table.delete(id),
    clear() {
      for (const { id } of table.oldest({ limit: Number.POSITIVE_INFINITY })) table.delete(id);
    },
  };
}
