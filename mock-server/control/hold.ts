import { problemCodes } from '../api/routes.ts';
import type { OperationId } from '../contract.ts';
import type { Context } from '../domain/context.ts';
import type { Hold, HoldFailure, HoldTarget } from '../domain/holds.ts';
import { didYouMean, type OptionRules, oneOf, text } from '../domain/options.ts';
import { assertArgument, assertArguments, assertOrganization, notFound } from './arguments.ts';
import { targets } from './faults/faults.ts';

/** A call or a delivery that stands still until the test lets it go. */
export interface Held {
  /** Resolves once a call or a delivery stands still. Rejects if the mock is reset or closed before. */
  readonly started: Promise<void>;
  /** Lets it go on as if it had not been held. */
  release(): void;
  /**
   * The operation is not run, the generation fails, or the attempt of the delivery does. A retry with the same
   * `Idempotency-Key` fails like the call.
   */
  fail(error?: HoldFailure): void;
}

/** A generation that stands still until the test lets it go. */
export interface HeldGeneration extends Held {
  /** Adds a piece to its text. A stream sends it now. */
  emit(text: string): void;
  /** Completes the generation with the text so far; without any, with the text that the generator makes. */
  release(): void;
}

/** The event whose next attempt of a delivery is held. */
export interface DeliveryTarget {
  /** Type of the event. */
  readonly delivery: string;
}

/** Options of `hold`. */
export interface HoldOptions {
  /** Holds only a call or a delivery of this organization. @default any */
  readonly organization?: string;
}

/** Holds calls and deliveries. */
export interface HoldCalls {
  (target: 'generateContent', options?: HoldOptions): HeldGeneration;
  (target: OperationId | DeliveryTarget, options?: HoldOptions): Held;
}

export type HoldsById = ReturnType<typeof createHoldsById>;

const optionRules: OptionRules<HoldOptions> = { organization: text };
const failureRules: OptionRules<HoldFailure> = {
  code: oneOf(Object.values(problemCodes).flat()),
  message: text,
};

export function createHoldCalls(context: Context): HoldCalls {
  const hold = (target: OperationId | DeliveryTarget, options?: HoldOptions): HeldGeneration =>
    heldOf(addHold(context, target, options));
  return hold as HoldCalls;
}

/** The same by id, for the control API. */
export function createHoldsById(context: Context) {
  function find(id: string): HeldGeneration {
    const hold = context.holds.find(id);
    if (!hold) throw notFound('hold', id);
    return heldOf(hold);
  }
  return {
    hold: (target: OperationId | DeliveryTarget, options?: HoldOptions) => ({
      id: addHold(context, target, options).id,
    }),
    held: {
      started: (id: string) => find(id).started,
      emit: (id: string, piece: string) => find(id).emit(piece),
      release: (id: string) => find(id).release(),
      fail: (id: string, error?: HoldFailure) => find(id).fail(error),
    },
  };
}

/** @throws ControlError */
function addHold(
  context: Context,
  target: OperationId | DeliveryTarget,
  options: HoldOptions = {},
): Hold {
  assertArguments('Failed to hold a call', options, optionRules);
  const { organization } = options;
  assertOrganization(context, organization);
  return context.holds.add({ ...readTarget(target), organization });
}

function readTarget(target: OperationId | DeliveryTarget): HoldTarget {
  const kind = typeof target === 'string' ? 'operation' : 'delivery';
  const name = String(typeof target === 'string' ? target : Object(target).delivery);
  const known = targets[kind];
  const message = `Failed to hold a call: there is no ${kind} ${name}.${didYouMean(name, known)} Pass one of ${known.join(', ')}; for a delivery, { delivery: event }.`;
  assertArgument(known.includes(name), message);
  return { kind, name };
}

function heldOf(hold: Hold): HeldGeneration {
  const { target, started } = hold;
  return {
    started,
    emit(piece) {
      const hasText = target.kind === 'operation' && target.name === 'generateContent';
      assertArgument(hasText, `Failed to emit: ${target.name} has no text. Hold generateContent.`);
      assertArgument(typeof piece === 'string', 'Failed to emit: pass a string.');
      hold.say({ kind: 'text', text: piece });
    },
    release: () => hold.say({ kind: 'release' }),
    fail(error = {}) {
      const words = { whole: '{ message }' };
      assertArguments('Failed to fail a held call', error, failureRules, words);
      hold.say({ kind: 'fail', error });
    },
  };
}
