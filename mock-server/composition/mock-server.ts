import type { Control } from '../control/control.ts';
import type { Organization } from '../control/organizations/organizations.ts';
import type { Deployment } from '../domain/deployment.ts';
import type { InProcessReceiver } from '../outbound/in-process.ts';

/** Options for the client: `new ContentGen(mock.clientOptions)` calls the mock, without a network or pauses. */
export interface ClientOptions {
  /** Where clients reach the mock. */
  readonly baseUrl: string;
  /** The key. */
  readonly apiKey: string;
  /** The mock's own `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** Retries at once, so that a test sees an error within a tick. */
  readonly backoff: {
    /** Always 0. */
    readonly initial: number;
    /** Always 0. */
    readonly max: number;
  };
  /** The mock's own; absent if it follows the contract. */
  readonly deployment?: Deployment;
}

/** The reference server in this process. `organization` and the keys are those of its first organization. */
export interface MockServer extends Omit<Organization, 'project'>, Control {
  /** Where clients reach the mock, without a trailing slash. */
  readonly baseUrl: string;
  /** For a client with the member key. */
  readonly clientOptions: ClientOptions;
  /** For a client with the admin key, which can manage keys and registrations. */
  readonly adminOptions: ClientOptions;
  /** Functions that receive the deliveries to a URL, instead of the network. `set` throws unless the URL is absolute. */
  readonly receivers: Map<string, InProcessReceiver>;
  /**
   * Responds as the service would, without a network. Takes what the platform's `fetch` takes.
   *
   * @throws TypeError as `fetch` does when the network fails: for a fault that drops the connection, and with the code
   * `mock_closed` after `close()`
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Stops timers, closes connections and aborts work in flight. Later calls do nothing. */
  close(): Promise<void>;
}
