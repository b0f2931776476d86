import type { MakeResponse } from '../api/reply.ts';
import type { OperationId } from '../contract.ts';
import type { Control } from '../control/control.ts';
import type { Tenant } from '../control/tenants/tenants.ts';
import type { InProcessReceiver } from '../outbound/in-process.ts';

/** A method and path that the service responds to. */
export interface ServedRoute {
  /** The operation that responds. */
  readonly operation: OperationId;
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** Parameters are written as `:name`. */
  readonly path: string;
}

/** `operation` is undefined for a request that no operation answers: an unknown path, a preflight, missing credentials. */
export type ResponseListener = (
  request: Request,
  response: Response,
  operation: OperationId | undefined,
) => void;

/** The reference server in this process. `organization`, `project` and the keys are those of its first organization. */
export interface MockServer extends Tenant, Control {
  /** Where clients reach the mock, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether the store already held an organization. If so, `adminKey` and `memberKey` are empty unless you passed one. */
  readonly resumed: boolean;
  /** Functions that receive the deliveries to a URL, instead of the network. */
  readonly receivers: Map<string, InProcessReceiver>;
  /** Every operation once per prefix, literal paths before paths with parameters. */
  readonly routes: readonly ServedRoute[];
  /**
   * Responds as the service would, without a network. Takes what the platform's `fetch` takes.
   *
   * @throws TypeError as `fetch` does when the network fails: for a fault that drops the connection, and with the code
   * `mock_closed` after `close()`
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /**
   * Like `fetch`, but for adapters: when a fault breaks the connection, and after `close()`, it resolves to
   * `Response.error()`.
   */
  handle(request: Request, make?: MakeResponse): Promise<Response>;
  /**
   * Calls a listener with each response of the service, on every door, before it is sent. The body of the request has been
   * read; that of the response is a copy, which the listener can read. An error in the listener goes to `onError`.
   *
   * @returns A function that removes the listener.
   */
  onResponse(listener: ResponseListener): () => void;
  /** From now on, rejects `http:` callback URLs on loopback addresses too. */
  requireHttps(): void;
  /**
   * From now on, rejects callback URLs on loopback unless `allowPrivate` is set. `serve` calls it when it listens for
   * other machines, whose users must not reach other services on this one.
   */
  forbidLoopback(): void;
  /**
   * Starts a manual clock at the present, unless an option says where it starts or it has already moved. `serve` calls
   * it: receivers in other processes check signatures against their own clocks.
   */
  startNow(): void;
  /** Stops timers, closes connections and aborts work in flight. Later calls do nothing. */
  close(): Promise<void>;
}
