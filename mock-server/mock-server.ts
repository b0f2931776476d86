import type { MakeResponse } from './api/reply.ts';
import type { OperationId } from './contract.ts';
import type { Control } from './control/control.ts';
import type { Tenant } from './control/tenants.ts';
import type { Receiver } from './outbound/in-process.ts';

/** One path that an operation answers. */
export interface ServedRoute {
  readonly operation: OperationId;
  readonly method: string;
  /** Its parameters as `:name`. */
  readonly path: string;
}

/** The reference server in this process; its first organization's keys are its own. */
export interface MockServer extends Tenant, Control {
  /** Where clients find it. */
  readonly baseUrl: string;
  /** Whether its store held an organization already; `adminKey` and `memberKey` are then empty unless given. */
  readonly resumed: boolean;
  /** Functions that take deliveries to a URL in place of the network. */
  readonly receivers: Map<string, Receiver>;
  /** Every operation once per prefix, literals before parameters. */
  readonly routes: readonly ServedRoute[];
  /**
   * Answers as the service would, without a network; takes what the platform's `fetch` takes.
   *
   * @throws TypeError as `fetch` does where the network fails: for a fault that drops the connection, and with the
   * code `mock_closed` after `close()`
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** The same for adapters: a connection that a fault breaks, and any after `close()`, is `Response.error()`. */
  handle(request: Request, make?: MakeResponse): Promise<Response>;
  /** From now on refuses `http:` callback URLs on loopback too. */
  requireHttps(): void;
  /** Stops its timers and connections, ends what is in flight and answers nothing more; a second call does nothing. */
  close(): Promise<void>;
}
