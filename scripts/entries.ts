/**
 * The public entries: each subpath of the package with its source file. `package.json` (exports), `tsconfig.json`
 * (paths) and the build must agree with these tables; tests compare them.
 */
export const clientEntries = {
  '.': 'src/index.ts',
  './pacing': 'src/pacing/index.ts',
  './otel': 'src/otel/index.ts',
  './schemas': 'src/generated/schemas.ts',
  './deployment': 'src/deployment/index.ts',
  './webhooks': 'src/webhooks/index.ts',
  './webhooks/node': 'src/webhooks/node/index.ts',
  './webhooks/redis': 'src/webhooks/redis.ts',
  './webhooks/postgres': 'src/webhooks/postgres.ts',
  './testing': 'src/testing/index.ts',
};

export const mockEntries = {
  './mock': 'mock-server/index.ts',
  './mock/msw': 'mock-server/msw/handlers.ts',
  './mock/node': 'mock-server/msw/node.ts',
  './mock/browser': 'mock-server/msw/browser.ts',
  './mock/http': 'mock-server/http/serve.ts',
  './mock/remote': 'mock-server/control-api/client/connect-mock.ts',
  './simulate': 'mock-server/simulate/index.ts',
};

const { './mock/browser': _forBrowsers, ...forEveryTest } = mockEntries;

/** Entries that `require()` can also load: all but the one for browsers. */
export const commonJsEntries: Readonly<Record<string, string>> = {
  ...clientEntries,
  ...forEveryTest,
};

/**
 * Files of their own, though no subpaths. All entries share the classes of the errors, and what uses only these loads
 * nothing of the client: esbuild keeps the tables of a file even if only a re-export is used.
 */
export const innerEntries = { './errors': 'src/errors.ts', './client': 'src/client.ts' };

/** The command, `contentgen`. */
export const commandEntry = { './mock/cli': 'mock-server/cli/index.ts' };

/** The built file of a subpath, without its extension: `./mock` is `mock/index`, `.` is `index`. */
export function outputName(subpath: string): string {
  if (subpath === '.') return 'index';
  if (subpath === './mock') return 'mock/index';
  if (subpath === './simulate') return 'mock/simulate';
  return subpath.slice(2);
}

/** What users import: `./webhooks` is `contentgen/webhooks`. */
export function specifier(subpath: string): string {
  return `contentgen${subpath.slice(1)}`;
}
