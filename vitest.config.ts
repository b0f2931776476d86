import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { playwright } from '@vitest/browser-playwright';
import { msw } from 'msw/vite';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { clientEntries, mockEntries, specifier } from './scripts/entries.ts';

if (Number(process.versions.node.split('.')[0]) < 22) {
  throw new Error(
    `The tests need the pinned Node (node_modules/.bin/node); this is ${process.version}. Run npm ci with install scripts allowed, then npm test or npx vitest.`,
  );
}

/** `import 'contentgen/webhooks'` in tests and snippets is the source, not a built file. */
const alias = Object.entries({ ...clientEntries, ...mockEntries }).map(([subpath, source]) => ({
  find: new RegExp(`^${specifier(subpath)}$`),
  replacement: fileURLToPath(new URL(source, import.meta.url)),
}));

const executablePath = [
  process.env['CHROMIUM_PATH'],
  chromium.executablePath(),
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));

if (!executablePath) {
  if (process.env['CI'] === 'true')
    throw new Error('CI runs the browser tests: no Chromium found.');
  console.warn('browser tests skipped: no Chromium found (set CHROMIUM_PATH).');
}

/**
 * A test connects only to this machine and leaves nothing behind, and every response of its mocks is checked against
 * the contract.
 */
const setupFiles = [
  './test/support/leave-nothing-behind.ts',
  './test/support/loopback-set-up.ts',
  './test/support/responses/record-responses.ts',
];

/** Chromium then finds no other machine. */
const onlyLoopback = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

const hasTests = (folder: string) => existsSync(new URL(folder, import.meta.url));

/** Folders whose files leave nothing behind, so that they share workers. Loading the sources once saves half their time. */
const sharedFolders = [
  'test/client',
  'test/contract',
  'test/deployment',
  'test/fuzz',
  'test/mock-server/{cli,control,control-api,delivery,domain,http,outbound,platform,service,stores}',
  'test/otel',
  'test/security/leaks',
  'test/signing',
  'test/testing',
  'test/webhooks',
].map((folder) => `${folder}/**/*.test.ts`);

/** They kill, restart and partition real stores under real processes. */
const chaosTests = ['test/chaos/**/*.test.ts'];

/**
 * What takes long: files whose name says so, the tests of the packed package, and chaos. `npm test` leaves them out;
 * `npm run test:all` and CI run them with `--mode all`.
 */
const longTests = ['**/*.long.test.ts', 'test/package/**', ...chaosTests];

const node: TestProjectConfiguration = {
  resolve: { alias },
  test: {
    name: 'node',
    // Threads start faster than processes, which saves a twelfth of the time that these tests take.
    pool: 'threads',
    setupFiles,
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/e2e/browser/**',
      'test/types/**',
      'test/package/**',
      'test/mock-server/dashboard/**',
      'test/simulate/**',
      ...chaosTests,
      ...sharedFolders,
    ],
    // Generous: a test that takes one second can take tens of seconds on a shared machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
};

const shared: TestProjectConfiguration = {
  ...node,
  test: {
    ...node.test,
    name: 'node-shared',
    pool: 'forks',
    include: sharedFolders,
    exclude: [],
    isolate: false,
  },
};

/** They share one build, one browser and the workers. */
const dashboard: TestProjectConfiguration = {
  ...node,
  test: {
    ...node.test,
    name: 'node-dashboard',
    globalSetup: './test/mock-server/dashboard/global-setup.ts',
    include: ['test/mock-server/dashboard/**/*.test.ts'],
    exclude: [],
    isolate: false,
  },
};

/**
 * Each has the threads of its process to itself: simulations wait for what is signed and verified in them. They leave
 * nothing behind, so that a process loads the sources once.
 */
const simulations: TestProjectConfiguration = {
  ...node,
  test: {
    ...node.test,
    name: 'node-simulate',
    pool: 'forks',
    include: ['test/simulate/**/*.test.ts'],
    exclude: [],
    isolate: false,
  },
};

const chaos: TestProjectConfiguration = {
  ...node,
  test: {
    ...node.test,
    name: 'chaos',
    pool: 'forks',
    include: chaosTests,
    exclude: [],
  },
};

const types: TestProjectConfiguration = {
  test: {
    name: 'types',
    include: [],
    typecheck: {
      enabled: true,
      only: true,
      include: ['test/types/**/*.test-d.ts'],
      checker: './node_modules/typescript-7/bin/tsc',
      tsconfig: './test/types/tsconfig.json',
    },
  },
};

const packed: TestProjectConfiguration = {
  test: {
    name: 'package',
    setupFiles,
    globalSetup: './test/package/global-setup.ts',
    // What the compiler has parsed serves the next file too.
    isolate: false,
    include: ['test/package/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
};

const browser: TestProjectConfiguration = {
  resolve: { alias },
  plugins: [msw({ mode: 'worker-only' })],
  optimizeDeps: {
    // What Vite finds only while a test runs reloads the page under it.
    include: [
      '@tanstack/react-query',
      'openapi-react-query',
      'react',
      'react-dom/client',
      'react/jsx-dev-runtime',
    ],
  },
  test: {
    name: 'browser',
    include: ['test/e2e/browser/**/*.test.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          ...(executablePath ? { executablePath } : {}),
          args: [
            onlyLoopback,
            ...(process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : []),
          ],
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
};

const projects = [
  node,
  shared,
  dashboard,
  simulations,
  chaos,
  types,
  packed,
  ...(executablePath && hasTests('test/e2e/browser') ? [browser] : []),
];

export default defineConfig(({ mode }) => ({
  test: {
    // Many tests wait for processes, browsers and servers: one worker for each core leaves the cores idle.
    maxWorkers: Math.max(4, availableParallelism()),
    // `.ci/run` counts, and repeats a failed test once.
    ...(process.env['CONTENTGEN_COUNTS'] && {
      reporters: ['default', './.ci/reporter.mjs'],
      retry: 1,
    }),
    globalSetup: './test/support/global-setup.ts',
    coverage: {
      provider: 'v8',
      include: ['src/**', 'mock-server/**'],
      exclude: ['src/generated/**', '**/*.d.ts'],
      reporter: ['text', 'json-summary'],
    },
    projects: projects.map(({ test, ...project }) => ({
      ...project,
      test: {
        ...test,
        exclude: [
          // Some suites install packages in their own folders, which have tests too.
          '**/node_modules/**',
          ...(test?.exclude ?? []),
          ...(mode === 'all' ? [] : longTests),
        ],
      },
    })),
  },
}));
