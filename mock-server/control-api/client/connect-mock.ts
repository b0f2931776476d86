import type { MockServer } from '../../composition/mock-server.ts';
import type { HoldsById } from '../../control/hold.ts';
import { holdCalls, mockCalls, type Remote } from '../calls.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { type RemoteHold, remoteHold } from './remote-hold.ts';

export { MockControlError } from './control-error.ts';
export type { RemoteHeld, RemoteHeldGeneration, RemoteHold } from './remote-hold.ts';
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
