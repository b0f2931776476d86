import type { MockServer } from '../../composition/mock-server.ts';
import type { OperationId } from '../../contract.ts';
import type {
  DeliveryTarget,
  Held,
  HeldGeneration,
  HoldOptions,
  HoldsById,
} from '../../control/hold.ts';
import type { HoldFailure } from '../../domain/holds.ts';
import { holdCalls, mockCalls, type Remote } from '../calls.ts';
import { type ConnectOptions, connect } from './connect.ts';

export { MockControlError } from './connect.ts';
export type { ConnectOptions };

/**
 * The control calls of a reference server, each of which returns a promise. A test that awaits every call runs both on
 * `connectMock(url)` and on what `createMockServer()` returns.
 */
export type MockControl = Remote<MockServer, typeof mockCalls> & {
  /** Holds the next call of an operation, or the next attempt of a delivery, until the test lets it go. */
  readonly hold: RemoteHold;
};

/**
 * Connects to the control API of a standalone server (`contentgen mock`). Nothing is sent before the first call.
 *
 * Each call throws a {@link MockControlError} with the problem's `code`: for instance `control_forbidden` from another
 * machine, `control_token_required` without the right token, and `unreachable` when no server is running there.
 *
 * @param url The server's base URL, with or without `/v2` or `/_control`.
 * @throws TypeError for a `token` that no header can carry
 * @example
 * ```ts
 * import { connectMock } from 'contentgen/mock/remote';
 *
 * const mock = connectMock('http://127.0.0.1:4010');
 * await mock.trigger('data_updated');
 * await mock.settle();
 * ```
 */
export function connectMock(url: string | URL, options: ConnectOptions = {}): MockControl {
  const marks = { ...mockCalls, ...holdCalls };
  const calls = connect(url, options, marks) as unknown as Remote<HoldsById, typeof holdCalls>;
  const { held: _, ...others } = calls;
  return { ...others, hold: remoteHold(calls) } as unknown as MockControl;
}

/** Each call returns a promise. */
type Promised<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => unknown
    ? (...args: Args) => Promise<void>
    : T[Name];
};

/** A call or a delivery of another process that stands still until the test lets it go. */
export type RemoteHeld = Promised<Held>;

/** A generation of another process that stands still until the test lets it go. */
export type RemoteHeldGeneration = Promised<HeldGeneration>;

/** Holds calls and deliveries of another process. */
export interface RemoteHold {
  (target: 'generateContent', options?: HoldOptions): Promise<RemoteHeldGeneration>;
  (target: OperationId | DeliveryTarget, options?: HoldOptions): Promise<RemoteHeld>;
}

/** Makes the object of a hold from the calls by its id. */
function remoteHold({ hold, held }: Remote<HoldsById, typeof holdCalls>): RemoteHold {
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
