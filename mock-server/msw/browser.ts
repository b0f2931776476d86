import type { SetupWorker } from 'msw/browser';
import type { MockServer } from '../composition/mock-server.ts';
import { mockRules } from '../composition/option-rules.ts';
import type { MockServerOptions } from '../composition/options.ts';
import { createMockServer } from '../create-mock-server.ts';
import { assertOptions, type OptionRules, text } from '../domain/options.ts';
import { mswHandlers } from './handlers.ts';
import { type OnUnhandledRequest, unhandledOptions, unhandledRule } from './unhandled.ts';

/** Options of {@link setupMockWorker}. */
export interface SetupWorkerOptions extends MockServerOptions {
  /** What happens to requests to other hosts; those to this machine and to the page's own are sent on. @default 'bypass' */
  readonly onUnhandledRequest?: OnUnhandledRequest;
  /** URL of MSW's worker script, which `npx msw init public --save` creates. @default '/mockServiceWorker.js' */
  readonly workerUrl?: string;
}

/** A mock, and the service worker that intercepts requests to it. */
export interface WorkerSetup {
  /** The mock that responds. */
  readonly mock: MockServer;
  /** The MSW worker, for `worker.use(…)`. */
  readonly worker: SetupWorker;
  /** Stops intercepting and closes the mock. Later calls do nothing. */
  close(): Promise<void>;
}

const rules: OptionRules<SetupWorkerOptions> = {
  ...mockRules,
  onUnhandledRequest: unhandledRule,
  workerUrl: text,
};

/** The newest setup of this page, once it is complete. Setups run one after the other. */
let newest: Promise<WorkerSetup | undefined> = Promise.resolve(undefined);

/**
 * Creates a mock in the page and intercepts the page's requests to it.
 *
 * A second call replaces the first setup, as happens under React's StrictMode and when a module is reloaded: only the
 * newest mock responds.
 *
 * @throws Error when the worker script is missing, or the platform has no service workers, as jsdom
 * @example
 * ```ts
 * import { setupMockWorker } from 'contentgen/mock/browser';
 *
 * const { mock } = await setupMockWorker({ seed: 1 });
 * const response = await fetch(`${mock.baseUrl}/api/usage`, { headers: { 'X-API-Key': mock.adminKey } });
 * console.log(response.status); // 200
 * ```
 */
export function setupMockWorker(options: SetupWorkerOptions = {}): Promise<WorkerSetup> {
  const setup = newest.then(async (previous) => {
    await previous?.close();
    return setUp(options);
  });
  newest = setup.catch(() => undefined);
  return setup;
}

async function setUp(options: SetupWorkerOptions): Promise<WorkerSetup> {
  assertOptions('set up the mock worker', options, rules);
  const { onUnhandledRequest = 'bypass', workerUrl = '/mockServiceWorker.js', ...rest } = options;
  if (!globalThis.navigator?.serviceWorker) throw new Error(NO_WORKERS);
  await checkWorkerScript(workerUrl);
  // Node, where jsdom runs, cannot resolve it.
  const { setupWorker } = await import('msw/browser');
  const mock = createMockServer(rest);
  const worker = setupWorker(...mswHandlers(mock));
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await worker.stop();
    await mock.close();
  };
  await worker.start({
    quiet: true,
    serviceWorker: { url: workerUrl },
    ...unhandledOptions(onUnhandledRequest, location.host),
  } as Parameters<typeof worker.start>[0]);
  return { mock, worker, close };
}

const NO_WORKERS =
  'Failed to set up the mock worker: there are no service workers here. In a test on Node, jsdom or happy-dom too, use setupMockServer of contentgen/mock/node; a page needs https: or localhost.';

/**
 * Rejects if MSW's worker script is not at `url`: the browser's own error says neither which file is missing nor what to
 * do.
 *
 * @throws Error
 */
async function checkWorkerScript(url: string): Promise<void> {
  const response = await fetch(url, { cache: 'no-cache' }).catch(() => undefined);
  const type = response?.headers.get('content-type') ?? '';
  await response?.body?.cancel();
  if (!response?.ok) throw missing(url, response ? `status ${response.status}` : 'no response');
  // A development server responds to unknown addresses with its index page.
  if (!/javascript|ecmascript/i.test(type)) throw missing(url, `content type ${type || 'unknown'}`);
}

function missing(url: string, found: string): Error {
  return new Error(
    `Failed to set up the mock worker: there is no worker script at ${url} (${found}). Create it with npx msw init public --save, where public is the folder your server serves at /, or pass its address as workerUrl.`,
  );
}
