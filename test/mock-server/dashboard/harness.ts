import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { createMockServer, type MockServer, type MockServerOptions } from 'contentgen/mock';
import { type ServedMock, serve } from 'contentgen/mock/http';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export const views = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 375, height: 800 }, colorScheme: 'light' },
} as const satisfies Record<string, BrowserContextOptions>;

export type View = keyof typeof views;

export type BuiltDashboard = Awaited<ReturnType<typeof openBuiltDashboard>>;

/** The built pages and a connection to the browser, which all files share. */
export async function openBuiltDashboard() {
  const { browser: address, ...folders } = inject('dashboard');
  const browser = await chromium.connect(address);
  return { ...folders, browser, close: () => browser.close() };
}

export const receiverUrl = 'https://app.example/hooks';

/** A server with its dashboard and an in-process receiver. */
export interface TestServer {
  readonly mock: MockServer;
  readonly url: string;
  /** The deliveries that the receiver got. */
  readonly received: Request[];
  /** The status with which the receiver responds. */
  receiverStatus: number;
  /** Back to the state of a new server. */
  reset(): void;
  close(): Promise<void>;
}

export async function startServer(
  built: BuiltDashboard,
  options: MockServerOptions = {},
  port = 0,
  serving: { readonly controlToken?: string } = {},
): Promise<TestServer> {
  const mock = createMockServer({
    seed: 1,
    ...(options.clock !== 'real' && { clock: 'manual', start: '2026-01-01' }),
    ...options,
  });
  const served: ServedMock = await serve(mock, {
    ...serving,
    port,
    dashboard: pathToFileURL(`${built.folder}/`),
  });
  const server: TestServer = {
    mock,
    url: served.url,
    received: [],
    receiverStatus: 200,
    reset() {
      mock.reset();
      server.received.length = 0;
      server.receiverStatus = 200;
    },
    async close() {
      await served.close({ graceMs: 0 });
      await mock.close();
    },
  };
  mock.receivers.set(receiverUrl, (request) => {
    server.received.push(request.clone());
    return new Response('thanks', { status: server.receiverStatus });
  });
  return server;
}

/** A call of the public API by an application: `POST` with a body, `GET` without. */
export function callApi(
  { mock }: TestServer,
  path: string,
  body?: object,
  key = mock.adminKey,
): Promise<Response> {
  return mock.fetch(mock.baseUrl + path, {
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
}

/** The dashboard in a tab. */
export interface Visit {
  readonly page: Page;
  /** Console errors, page errors and requests to other origins, but not the 4xx and 5xx that a test provokes. */
  readonly pageErrors: string[];
  go(address: string): Promise<void>;
  /** Leaves what is shown. The page stays loaded, which saves most of the time of the next test. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

export async function visit(
  built: BuiltDashboard,
  server: TestServer,
  view: View = 'light',
): Promise<Visit> {
  const context = await built.browser.newContext({ ...views[view], reducedMotion: 'reduce' });
  // A clipboard of its own: the browser's is shared with the pages of the test files that run beside this one.
  await context.addInitScript(() => {
    let copied = '';
    const own = {
      writeText: async (text: string) => {
        copied = text;
      },
      readText: async () => copied,
    };
    Object.defineProperty(navigator, 'clipboard', { value: own });
  });
  // The page collects what happens within half a second before it reads a list again; the tests wait for a list often.
  await context.addInitScript(() => {
    const { setTimeout: own } = window;
    const hurried = (work: () => void, ms?: number) => own(work, ms === 500 ? 50 : ms);
    Object.assign(window, { setTimeout: hurried });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    const provoked = /Failed to load resource: the server responded with a status of [45]/;
    if (message.type() === 'error' && !provoked.test(text)) pageErrors.push(text);
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== server.url)
      pageErrors.push(`Another origin: ${request.url()}`);
  });
  return {
    page,
    pageErrors,
    async go(address) {
      await page.goto(`${server.url}/#/${address}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    async leave() {
      await page.goto(`${server.url}/#/nowhere`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      pageErrors.length = 0;
    },
    close: () => context.close(),
  };
}

/** Opens the dashboard for the tests of this `describe`; each starts with a new server's state. */
export function useDashboard() {
  let built: BuiltDashboard;
  let server: TestServer;
  let visited: Visit;
  beforeAll(async () => {
    built = await openBuiltDashboard();
    server = await startServer(built);
    visited = await visit(built, server);
  }, 60_000);
  afterEach(async () => {
    const pageErrors = [...visited.pageErrors];
    await visited.leave();
    server.reset();
    expect(pageErrors).toEqual([]);
  });
  afterAll(async () => {
    await visited.close();
    await server.close();
    await built.close();
  });
  const page = () => visited.page;
  return {
    get built() {
      return built;
    },
    get server() {
      return server;
    },
    get page() {
      return visited.page;
    },
    go: (address: string) => visited.go(address),
    button: (name: string) => page().getByRole('button', { name, exact: true }),
    /** The rows of the list, the newest first. */
    rows: () => page().locator('main .list tbody tr'),
    detail: () => page().locator('.detail'),
    clipboard: () => page().evaluate(() => navigator.clipboard.readText()),
    /** Starts a generation whose result goes to `webhookUrl`. */
    generate: (prompt: string, webhookUrl = receiverUrl) =>
      callApi(server, '/api/ai/content/generate', { prompt: `[[say: ${prompt}]]`, webhookUrl }),
  };
}

/** The violations of WCAG 2.2 AA that axe finds, one line each. The dark view differs only in its colors. */
export async function violations(page: Page, view: View): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const runOnly =
    view === 'dark' ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: wcag };
  return page.evaluate(async (only) => {
    interface Finding {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly Finding[] }> };
    };
    // Only violations are read, and no rule of WCAG needs the style sheets or media fetched again.
    const options = { resultTypes: ['violations'], selectors: false, preload: false };
    const found = await axe.run({ ...options, runOnly: only });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.html} ${n.failureSummary}`).join(' | ')}`,
    );
  }, runOnly);
}
