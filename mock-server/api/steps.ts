import { isRejection } from '../domain/rejection.ts';
import type { CallContext, EndedCall, Next, Step } from './call-context.ts';

type Ended = EndedCall | Promise<EndedCall>;

/** Steps in their order. `Last` is the call as the last of them leaves it. */
export interface Steps<First extends CallContext, Last extends CallContext> {
  /** Adds a step. It compiles only behind the step that takes calls to the stage where this one starts. */
  next<To extends CallContext>(step: Step<Last, To>): Steps<First, To>;
  /** Runs the steps until one ends the call; `rest` handles a call that none has ended. */
  run(call: First, rest: (call: Last) => Ended): Ended;
}

/** No steps yet. A step that throws ends the call with what `onError` returns. */
export function startOfSteps<Call extends CallContext>(
  onError: (call: CallContext, error: unknown) => EndedCall,
): Steps<Call, Call> {
  return stepsOf((call, rest) => rest(call));

  function stepsOf<Last extends CallContext>(run: Steps<Call, Last>['run']): Steps<Call, Last> {
    return {
      run,
      next: (step) => stepsOf((first, rest) => run(first, (call) => take(call, step, rest))),
    };
  }

  /** Awaiting a value that is not a promise would let parallel calls overtake each other between steps. */
  function take<From extends CallContext, To extends CallContext>(
    call: From,
    step: Step<From, To>,
    rest: (call: To) => Ended,
  ): Ended {
    const goOn = (next: Next<To>): Ended => {
      if (isRejection(next)) return { ...call, outcome: next };
      return isEnded(next) ? next : rest(next);
    };
    try {
      const next = step(call);
      if (!(next instanceof Promise)) return goOn(next);
      return next.then(goOn).catch((error) => onError(call, error));
    } catch (error) {
      return onError(call, error);
    }
  }
}

const isEnded = (call: CallContext): call is EndedCall => call.outcome !== undefined;
