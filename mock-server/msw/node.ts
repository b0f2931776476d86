import { type SetupServer, setupServer } from 'msw/node';
import type { MockServer } from '../composition/mock-server.ts';
import { mockRules } from '../composition/option-rules.ts';
import type { MockServerOptions } from '../composition/options.ts';
import { createMockServer } from '../create-mock-server.ts';
import { assertOptions, type OptionRules, oneOf } from '../domain/options.ts';
import { mswHandlers } from './handlers.ts';

/** Options of {@link setupMockServer}. */
export interface SetupMockOptions extends MockServerOptions {
  /** What happens to requests to other hosts. @default 'error' */
  readonly onUnhandledRequest?: 'error' | 'warn' | 'bypass';
}

/** A mock, and the interception of requests to it in this process. */
export interface MockSetup extends Disposable, AsyncDisposable {
  /** The mock that responds. */
  readonly mock: MockServer;
  /** The MSW server, for `server.use(…)`. */
  readonly server: SetupServer;
  /** Stops intercepting and closes the mock. Later calls do nothing. */
  close(): Promise<void>;
}

const rules: OptionRules<SetupMockOptions> = {
  ...mockRules,
  onUnhandledRequest: oneOf(['error', 'warn', 'bypass']),
};

let active: MockSetup | undefined;

/**
 * Creates a mock and intercepts requests to it in this process, from any HTTP client.
 *
 * Only one can be open at a time: of two MSW servers in a process only the later one responds, and closing one stops
 * both.
 *
 * @throws Error when another one is still open
 * @example
 * ```ts
 * import { setupMockServer } from 'contentgen/mock/node';
 *
 * const { mock, close } = setupMockServer({ seed: 1 });
 * const response = await fetch(`${mock.baseUrl}/api/usage`, { headers: { 'X-API-Key': mock.adminKey } });
 * console.log(response.status); // 200
 * await close();
 * ```
 */
export function setupMockServer(options: SetupMockOptions = {}): MockSetup {
  if (active) {
    throw new Error(
      'Failed to set up the mock server: another one is open in this process. Close it first.',
    );
  }
  assertOptions('set up the mock server', options, rules);
  const { onUnhandledRequest = 'error', ...rest } = options;
  const mock = createMockServer(rest);
  const server = setupServer(...mswHandlers(mock));
  // msw 2 reads onUnhandledRequest and msw 3 reads onUnhandledFrame; each silently ignores the other.
  server.listen({ onUnhandledRequest, onUnhandledFrame: onUnhandledRequest } as Parameters<
    typeof server.listen
  >[0]);
  const setup: MockSetup = {
    mock,
    server,
    async close() {
      // msw 3 throws when closed twice.
      if (active !== setup) return;
      active = undefined;
      server.close();
      await mock.close();
    },
    [Symbol.dispose]() {
      void setup.close();
    },
    [Symbol.asyncDispose]: () => setup.close(),
  };
  active = setup;
  return setup;
}
