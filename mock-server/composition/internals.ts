import type { MakeResponse } from '../api/reply.ts';
import type { Row } from '../api/routes.ts';
import type { HoldsById } from '../control/hold.ts';
import type { DeliveryView } from '../control/logs/logs.ts';
import type { PageCalls } from '../control/page-calls.ts';
import type { LogEvent, RequestEntry } from '../domain/records.ts';
import type { MockServer } from './mock-server.ts';

/** What the adapters, the commands and the dashboard need of a mock, and its users do not. */
export interface Internals {
  readonly holds: HoldsById;
  readonly project: string;
  /** Whether the store already held an organization. If so, `adminKey` and `memberKey` are empty unless one was passed. */
  readonly resumed: boolean;
  readonly isClosed: boolean;
  warn(sentence: string): void;
  /** Every operation once per prefix, literal paths before paths with parameters, which are written as `:name`. */
  readonly routes: readonly Row[];
  /**
   * Like `fetch`, but when a fault breaks the connection, and after `close()`, it resolves to `Response.error()`. `fetch`
   * calls this property, so that wrapping it affects every door.
   */
  handle(request: Request, make?: MakeResponse): Promise<Response>;
  /** Resolves once everything written so far is durable; undefined when there is nothing to wait for. */
  flushed(): Promise<void> | undefined;
  /**
   * Each `on…` returns a function that removes the listener. The lines are as they came, with any secret in them: show
   * only what `eventView` and `requestView` return.
   */
  onEvent(listener: (event: LogEvent) => void): () => void;
  onRequest(listener: (entry: RequestEntry) => void): () => void;
  delivery(id: string): DeliveryView | undefined;
  /**
   * From now on, rejects callback URLs on loopback unless private addresses are allowed: the users of other machines must
   * not reach other services on this one.
   */
  forbidLoopback(): void;
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
