import { http } from 'msw';
import { type SetupWorker, setupWorker } from 'msw/browser';
import { createMockServer } from '../create-mock-server.ts';
import type { MockServer } from '../mock-server.ts';
import type { MockServerOptions } from '../options.ts';
import { mswHandlers } from './handlers.ts';

/** Options of {@link setupMockWorker}. */
export interface SetupWorkerOptions extends MockServerOptions {
  /** What happens to requests to other hosts. @default 'bypass' */
  readonly onUnhandledRequest?: 'error' | 'warn' | 'bypass';
  /** URL of MSW's worker script, which `npx msw init` creates. @default '/mockServiceWorker.js' */
  readonly workerUrl?: string;
  /**
   * Also serves the control API under the base URL, so that `connectMock(mock.baseUrl)` and a dashboard in an `<iframe>`
   * of the page can reach this mock.
   * @default false
   */
  readonly control?: boolean;
}

/** A mock, and the service worker that intercepts requests to it. */
export interface WorkerSetup extends AsyncDisposable {
  readonly mock: MockServer;
  /** The MSW worker, for `worker.use(…)`. */
  readonly worker: SetupWorker;
  /** Stops intercepting and closes the mock. Later calls do nothing. */
  close(): Promise<void>;
}

/**
 * Creates a mock in the page and intercepts the page's requests to it.
 *
 * @example
 * ```ts
 * import { setupMockWorker } from 'contentgen/mock/browser';
 *
 * const { mock } = await setupMockWorker({ seed: 1 });
 * const response = await fetch(`${mock.baseUrl}/api/usage`, { headers: { 'X-API-Key': mock.adminKey } });
 * console.log(response.status); // 200
 * ```
 */
export async function setupMockWorker(options: SetupWorkerOptions = {}): Promise<WorkerSetup> {
  const {
    onUnhandledRequest = 'bypass',
    workerUrl = '/mockServiceWorker.js',
    control = false,
    ...rest
  } = options;
  const mock = createMockServer(rest);
  const site = control ? await pageControl(mock) : undefined;
  const worker = setupWorker(...(site ? [site.handler] : []), ...mswHandlers(mock));
  // msw 2 reads onUnhandledRequest and msw 3 reads onUnhandledFrame; each silently ignores the other.
  await worker.start({
    quiet: true,
    serviceWorker: { url: workerUrl },
    onUnhandledRequest,
    onUnhandledFrame: onUnhandledRequest,
  } as Parameters<typeof worker.start>[0]);
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    site?.close();
    await worker.stop();
    await mock.close();
  };
  return { mock, worker, close, [Symbol.asyncDispose]: close };
}

/** The control API as a handler, loaded only when it is used. */
async function pageControl(mock: MockServer) {
  const { controlSite } = await import('../control-api/app.ts');
  const { handle, close } = controlSite(mock, 'page');
  const base = mock.baseUrl.replace(/\/v2\/?$|\/$/, '');
  const handler = http.all(`${base}/_control/*`, ({ request }) => handle(request, undefined));
  return { handler, close };
}
