import { type SetupServer, setupServer } from 'msw/node';
import { createMockServer } from '../create-mock-server.ts';
import type { MockServer } from '../mock-server.ts';
import type { MockServerOptions } from '../options.ts';
import { mswHandlers } from './handlers.ts';

/** Options of {@link setupMockServer}. */
export interface SetupMockOptions extends MockServerOptions {
  /** What happens to requests that go elsewhere. @default 'error' */
  readonly onUnhandledRequest?: 'error' | 'warn' | 'bypass';
}

/** A mock whose requests are intercepted in this process. */
export interface MockSetup extends Disposable, AsyncDisposable {
  readonly mock: MockServer;
  /** The MSW server, for `server.use(…)`. */
  readonly server: SetupServer;
  /** Ends interception and the mock's timers; a second call does nothing. */
  close(): Promise<void>;
}

let active: MockSetup | undefined;

/**
 * Makes a mock and intercepts requests to it in this process, from any HTTP client.
 *
 * One at a time: of two MSW servers in a process only the later would answer, and closing one would stop both.
 *
 * @throws Error when another one is still open
 */
export function setupMockServer(options: SetupMockOptions = {}): MockSetup {
  if (active) {
    throw new Error(
      'Failed to set up the mock server: another one is open in this process. Close it first.',
    );
  }
  const { onUnhandledRequest = 'error', ...rest } = options;
  const mock = createMockServer(rest);
  const server = setupServer(...mswHandlers(mock));
  // msw 2 reads the first, msw 3 the second, and each ignores the other without a word.
  server.listen({ onUnhandledRequest, onUnhandledFrame: onUnhandledRequest } as Parameters<
    typeof server.listen
  >[0]);
  const setup: MockSetup = {
    mock,
    server,
    async close() {
      // msw 3 throws at a second close.
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
