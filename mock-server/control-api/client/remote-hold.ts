import type { OperationId } from '../../contract.ts';
import type { DeliveryTarget, HoldFailure, HoldOptions, HoldsById } from '../../control/hold.ts';
import type { holdCalls, Remote } from '../calls.ts';

/** A call or a delivery of another process that stands still until the test lets it go. */
export interface RemoteHeld {
  /** Resolves once a call or a delivery stands still. Rejects if the mock is reset or closed before. */
  readonly started: Promise<void>;
  /** Lets it go on as if it had not been held. */
  release(): Promise<void>;
  /** The operation is not run, the generation fails, or the attempt of the delivery does. */
  fail(error?: HoldFailure): Promise<void>;
}

/** A generation of another process that stands still until the test lets it go. */
export interface RemoteHeldGeneration extends RemoteHeld {
  /** Adds a piece to its text. A stream sends it now. */
  emit(text: string): Promise<void>;
}

/** Holds calls and deliveries of another process. */
export interface RemoteHold {
  (target: 'generateContent', options?: HoldOptions): Promise<RemoteHeldGeneration>;
  (target: OperationId | DeliveryTarget, options?: HoldOptions): Promise<RemoteHeld>;
}

/** Makes the object of a hold from the calls by its id. */
export function remoteHold({ hold, held }: Remote<HoldsById, typeof holdCalls>): RemoteHold {
  return async (target: OperationId | DeliveryTarget, options?: HoldOptions) => {
    const { id } = await hold(target, options);
    let started: Promise<void> | undefined;
    return {
      // Only a test that waits for it has a request open.
      get started() {
        started ??= held.started(id);
        return started;
      },
      emit: (text: string) => held.emit(id, text),
      release: () => held.release(id),
      fail: (error?: HoldFailure) => held.fail(id, error),
    };
  };
}
