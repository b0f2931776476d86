import { http } from 'msw';
import { type SetupWorker, setupWorker } from 'msw/browser';
import { createMockServer } from '../create-mock-server.ts';
import type { MockServer } from '../mock-server.ts';
import type { MockServerOptions } from '../options.ts';
import { mswHandlers } from './handlers.ts';

/** Options of {@link setupMockWorker}. */
export interface SetupWorkerOptions extends MockServerOptions {
  /** What happens to requests that go elsewhere. @default 'bypass' */
  readonly onUnhandledRequest?: 'error' | 'warn' | 'bypass';
  /** Address of MSW's worker script, made by `npx msw init`. @default '/mockServiceWorker.js' */
  readonly workerUrl?: string;
  /**
   * Answers the control API under the base URL too, so that `connectMock(mock.baseUrl)` and a dashboard in an
   * `<iframe>` of the page reach this mock. @default false
   */
  readonly control?: boolean;
}

/** A mock whose requests a service worker intercepts. */
export interface WorkerSetup extends AsyncDisposable {
  readonly mock: MockServer;
  /** The MSW worker, for `worker.use(…)`. */
  readonly worker: SetupWorker;
  /** Ends interception and the mock's timers; a second call does nothing. */
  close(): Promise<void>;
}

/** Makes a mock in the page and intercepts the page's requests to it. */
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
  // msw 2 reads the first, msw 3 the second, and each ignores the other without a word.
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

/** The control API as a handler, in a chunk of its own. */
async function pageControl(mock: MockServer) {
  const { controlSite } = await import('../control-api/app.ts');
  const { handle, close } = controlSite(mock, 'page');
  const base = mock.baseUrl.replace(/\/v2\/?$|\/$/, '');
  const handler = http.all(`${base}/_control/*`, ({ request }) => handle(request, undefined));
  return { handler, close };
}
