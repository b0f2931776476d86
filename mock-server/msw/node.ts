import { type SetupServer, setupServer } from 'msw/node';
import type { MockServer } from '../composition/mock-server.ts';
import { mockRules } from '../composition/option-rules.ts';
import type { MockServerOptions } from '../composition/options.ts';
import { createMockServer } from '../create-mock-server.ts';
import { assertOptions, type OptionRules } from '../domain/options.ts';
import { mswHandlers } from './handlers.ts';
import { type OnUnhandledRequest, unhandledOptions, unhandledRule } from './unhandled.ts';
import { whyNoneIntercepted } from './why-none-intercepted.ts';

/** Options of {@link setupMockServer}. */
export interface SetupMockOptions extends MockServerOptions {
  /** What happens to requests to other hosts; those to this machine are sent on. @default 'error' */
  readonly onUnhandledRequest?: OnUnhandledRequest;
}

/** A mock, and the interception of requests to it in this process. */
export interface MockSetup {
  /** The mock that responds. */
  readonly mock: MockServer;
  /** The MSW server, for `server.use(…)`. */
  readonly server: SetupServer;
  /** Stops intercepting and closes the mock. Later calls do nothing. */
  close(): Promise<void>;
}

const rules: OptionRules<SetupMockOptions> = {
  ...mockRules,
  onUnhandledRequest: unhandledRule,
};

/** The open setup, shared by all copies of the package in this process. */
const ACTIVE = Symbol.for('contentgen.mock.setup');
const shared = globalThis as { [ACTIVE]?: MockSetup | undefined };

/**
 * Creates a mock and intercepts requests to it in this process, from any HTTP client.
 *
 * A second call replaces the first setup, as happens when a module is reloaded: of two MSW servers in a process only the
 * later one responds, and closing one stops both. A warning says so if the base URLs differ. If your tests have their own
 * `setupServer`, use `mswHandlers` in it.
 *
 * @throws Error where msw cannot intercept, with what to do: msw 3 needs Node 22.12, and in jsdom Vitest 4
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
  assertOptions('set up the mock server', options, rules);
  const { onUnhandledRequest = 'error', ...rest } = options;
  const unfit = whyNoneIntercepted();
  if (unfit) throw new Error(unfit);
  const mock = createMockServer(rest);
  const { onWarning = (sentence: string) => console.warn(sentence) } = rest;
  const replaced = shared[ACTIVE];
  void replaced?.close();
  if (replaced && replaced.mock.baseUrl !== mock.baseUrl) onWarning(isReplaced(replaced.mock));
  if (isIntercepted()) onWarning(OTHER_SERVER);
  const server = setupServer(...mswHandlers(mock));
  server.listen(unhandledOptions(onUnhandledRequest) as Parameters<typeof server.listen>[0]);
  const setup: MockSetup = {
    mock,
    server,
    async close() {
      // msw 3 throws when closed twice.
      if (shared[ACTIVE] !== setup) return;
      shared[ACTIVE] = undefined;
      server.close();
      await mock.close();
    },
  };
  shared[ACTIVE] = setup;
  return setup;
}

const isReplaced = ({ baseUrl }: MockServer): string =>
  `setupMockServer replaces the open one, so that requests to ${baseUrl} are no longer mocked. Close that one first, or pass the handlers of both mocks to one MSW server: setupServer(...mswHandlers(one), ...mswHandlers(other)).`;

const OTHER_SERVER =
  "Another MSW server is listening in this process: of two, only the later one responds. Pass the mock's handlers to it instead: setupServer(...mswHandlers(mock)).";

/** What MSW 2 and 3 put in the place of `fetch` names these; the platform's does not. */
const isIntercepted = (): boolean =>
  /\b(?:RequestController|requestContext)\b/.test(String(globalThis.fetch));
