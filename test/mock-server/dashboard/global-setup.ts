import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { locate } from '../../support/needs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folders of the built dashboard and of the page with a mock worker, and the address of a running Chromium. */
    readonly dashboard: {
      readonly folder: string;
      readonly workerPage: string;
      readonly browser: string;
    };
  }
}

/** One process for all pages: they trust each other, and starting a process for each navigation costs the most. */
const oneProcess = ['--renderer-process-limit=1', '--disable-site-isolation-trials'];
/** It finds no other machine, and one name has been rebound to this one. */
const onlyLoopback =
  '--host-resolver-rules=MAP rebound.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [];

/** Builds the pages and starts a browser: once for all tests of the dashboard. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = locate('chromium');
  // Then the tests that need it are skipped.
  if (!executablePath) return undefined;
  const [folder, workerPage] = ['dashboard', 'worker'].map((name) =>
    mkdtempSync(join(tmpdir(), `contentgen-${name}-`)),
  ) as [string, string];
  const [browser] = await Promise.all([
    chromium.launchServer({ executablePath, args: [...sandbox, ...oneProcess, onlyLoopback] }),
    buildDashboard(folder).then(() => buildWorkerPage(workerPage)),
  ]);
  project.provide('dashboard', { folder, workerPage, browser: browser.wsEndpoint() });
  return async () => {
    await browser.close();
    for (const made of [folder, workerPage]) rmSync(made, { recursive: true, force: true });
  };
}

/** Builds it as published: in the test runner's environment, the bundler would pick the packages' development files. */
async function buildDashboard(folder: string): Promise<void> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      configFile: fileURLToPath(
        new URL('../../../mock-server/dashboard/vite.config.ts', import.meta.url),
      ),
      build: { outDir: folder },
    });
  } finally {
    process.env['NODE_ENV'] = NODE_ENV;
  }
}

/** A page that sets its mock up when it is told to, with MSW's worker script. */
async function buildWorkerPage(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('./worker-page', import.meta.url)),
    build: { outDir: folder, target: 'es2022', emptyOutDir: true, minify: false },
  });
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  copyFileSync(worker, join(folder, 'mockServiceWorker.js'));
}
