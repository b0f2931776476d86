import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createMockServer, type MockServer, type MockServerOptions } from 'contentgen/mock';
import { type ServedMock, serve } from 'contentgen/mock/http';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { build } from 'vite';
import { locate } from '../../support/needs.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export const views = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
} as const satisfies Record<string, BrowserContextOptions>;

export type View = keyof typeof views;

/** A built dashboard and a browser to look at it with. */
export interface Workshop {
  readonly folder: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

export async function openWorkshop(): Promise<Workshop> {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-dashboard-'));
  const executablePath = locate('chromium');
  const [browser] = await Promise.all([
    chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [],
    }),
    build({
      configFile: join(root, 'mock-server/dashboard/vite.config.ts'),
      build: { outDir: folder },
    }),
  ]);
  return {
    folder,
    browser,
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server with its dashboard, and a receiver in process that remembers what it got. */
export interface Stage {
  readonly mock: MockServer;
  readonly url: string;
  readonly received: Request[];
  /** What the receiver answers from now on. */
  answer: number;
  close(): Promise<void>;
}

/** A call of the public API by an application: `POST` with a body, else `GET`. */
export function call(
  { mock }: Stage,
  path: string,
  body?: object,
  key = mock.adminKey,
): Promise<Response> {
  return mock.fetch(mock.baseUrl + path, {
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
}

export const receiverUrl = 'https://app.example/hooks';

export async function openStage(
  workshop: Workshop,
  options: MockServerOptions = {},
  port = 0,
): Promise<Stage> {
  const mock = createMockServer({ seed: 1, clock: 'manual', ...options });
  const served: ServedMock = await serve(mock, {
    port,
    dashboard: pathToFileURL(`${workshop.folder}/`),
  });
  const stage: Stage = {
    mock,
    url: served.url,
    received: [],
    answer: 200,
    async close() {
      await served.close({ graceMs: 50 });
      await mock.close();
    },
  };
  mock.receivers.set(receiverUrl, (request) => {
    stage.received.push(request.clone());
    return new Response('thanks', { status: stage.answer });
  });
  return stage;
}

/** A page whose complaints are kept. */
export interface Visit {
  readonly page: Page;
  /** Console errors, page errors and refused loads, but for answers of 4xx and 5xx that a test asks for. */
  readonly complaints: string[];
  go(address: string): Promise<void>;
  close(): Promise<void>;
}

export async function visit(
  workshop: Workshop,
  stage: Stage,
  view: View = 'light',
): Promise<Visit> {
  const context = await workshop.browser.newContext({ ...views[view], reducedMotion: 'reduce' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    const asked = /Failed to load resource: the server responded with a status of [45]/.test(text);
    if (message.type() === 'error' && !asked) complaints.push(text);
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'blob:' && origin !== stage.url)
      complaints.push(`left home: ${request.url()}`);
  });
  return {
    page,
    complaints,
    async go(address) {
      await page.goto(`${stage.url}/#/${address}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    close: () => context.close(),
  };
}

/** What axe finds against WCAG 2.2 AA, one line each. The dark view differs in its colours alone. */
export async function violations(page: Page, view: View = 'light'): Promise<string[]> {
  await page.evaluate(axeSource);
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
    const found = await axe.run({ runOnly: only });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.html} ${n.failureSummary}`).join(' | ')}`,
    );
  }, runOnly);
}

/** Kept for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(root, 'artifacts/dashboard', `${name}.png`) });
}
