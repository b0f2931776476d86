import type { MockServer } from '../composition/mock-server.ts';
import type { Universes } from './universes.ts';

/** A request to the control API, already parsed. */
export interface ControlCall {
  readonly mock: MockServer;
  /** Absent where the mock does not listen on a socket. */
  readonly universes?: Universes | undefined;
  readonly id: string;
  readonly query: URLSearchParams;
  /** The parsed body; `{}` without one. */
  readonly body: unknown;
}

export interface ControlResult {
  readonly status: number;
  /** Sent as JSON; absent for 204. */
  readonly body?: unknown;
}

export type ControlHandler = (call: ControlCall) => ControlResult | Promise<ControlResult>;
