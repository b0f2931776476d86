import type { HoldsById } from '../control/hold.ts';
import type { PageCalls } from '../control/page-calls.ts';
import type { MockServer } from './mock-server.ts';

/** What the adapters and the dashboard need of a mock, and its users do not. */
export interface Internals {
  /** Holds by their id, for the control API. */
  readonly holds: HoldsById;
  /** The calls of the dashboard. */
  readonly page: PageCalls;
}

/** Shared by all copies of the package in this process. */
const KEY = Symbol.for('contentgen.mock.internals');

/** Adds the internals to a mock, out of sight of its users. */
export function hideInternals(mock: MockServer, internals: Internals): void {
  Object.defineProperty(mock, KEY, { value: internals });
}

/** @throws TypeError for anything that `createMockServer` did not return */
export function internalsOf(mock: MockServer): Internals {
  const internals = (Object(mock) as { readonly [KEY]?: Internals })[KEY];
  if (internals) return internals;
  throw new TypeError('Failed to use the mock: pass what createMockServer() returned.');
}
