import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { clientEntries, mockEntries, specifier } from '../../scripts/entries.ts';
import { places } from './manifest.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Source of an entry → what users import. */
const entries = new Map([
  ...Object.entries({ ...clientEntries, ...mockEntries }).map(([subpath, source]) => [
    source,
    specifier(subpath),
  ]),
  ['mock-server/create-mock-server.ts', 'contentgen/mock'],
  ['test/client/support/entry.ts', '@contentgen/as-namespace'],
]);

const universal = [
  'contentgen',
  'contentgen/mock',
  'contentgen/pacing',
  'contentgen/schemas',
  'contentgen/testing',
];
const onTheWeb = [...universal, 'contentgen/webhooks', 'contentgen/webhooks/redis'];

/** Frameworks that are installed next to the package, where there is an installation. */
export const linked = ['express', 'fastify', 'koa', 'msw', 'zod'];

/** The collector that the test files find in place of vitest: a script. */
export function bundleShim() {
  return bundle({
    entryPoints: [join(here, 'shim/index.mjs')],
    format: 'iife',
    alias: { util: join(here, 'shim/util.mjs') },
    nodePaths: [join(root, 'node_modules')],
  });
}

/** A test file for a runtime with modules: the package is imported as installed. */
export function bundleForModules(file, format) {
  return bundle({
    entryPoints: [join(root, file)],
    format,
    platform: 'node',
    external: ['contentgen', 'contentgen/*', 'msw/*', ...linked],
    plugins: [fromSuite(['vitest', 'fast-check']), fromPackage(file)],
    banner:
      format === 'cjs'
        ? {}
        : {
            js: `import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);`,
          },
  });
}

/** The package and the test files as one script, the package bundled as its users bundle it. */
export async function bundleForWeb(files, application) {
  const names = onTheWeb.map((name, i) => `import * as m${i} from '${name}';`);
  const modules = onTheWeb.map((name, i) => `'${name}': m${i}`);
  application.write(
    'web.mjs',
    `${names.join('\n')}
Object.assign(globalThis.contentgenSuite.modules, { ${modules.join(', ')} });`,
  );
  const packages = bundle({
    absWorkingDir: application.folder,
    entryPoints: ['web.mjs'],
    format: 'iife',
    mainFields: ['module', 'main'],
    conditions: ['worker', 'import'],
  });
  const suites = files.map(async (file) => {
    const text = await bundle({
      entryPoints: [join(root, file)],
      format: 'iife',
      mainFields: ['browser', 'module', 'main'],
      plugins: [fromSuite(['vitest', 'fast-check', ...onTheWeb]), fromPackage(file), withoutNode()],
    });
    return `contentgenSuite.register(${JSON.stringify(file)}, () => {\n${text}\n});`;
  });
  return (await Promise.all([bundleShim(), packages, ...suites])).join('\n');
}

/** A worker of the application's own. */
export function bundleWorker(entry, application) {
  return bundle({
    absWorkingDir: application.folder,
    entryPoints: [entry],
    format: 'esm',
    conditions: ['worker', 'import'],
  });
}

async function bundle(options) {
  const { outputFiles } = await build({
    bundle: true,
    write: false,
    logLevel: 'error',
    platform: 'neutral',
    target: 'es2023',
    mainFields: ['module', 'main'],
    // Without our path mappings, which lead to the sources.
    tsconfigRaw: '{}',
    jsx: 'automatic',
    ...options,
    external: ['node:*', ...(options.external ?? [])],
  });
  return outputFiles[0].text;
}

/** Modules that are one and the same in every bundle. */
function fromSuite(names) {
  return {
    name: 'from-suite',
    setup({ onResolve, onLoad }) {
      const filter = new RegExp(`^(${names.map(RegExp.escape).join('|')})$`);
      onResolve({ filter }, ({ path }) => ({ path, namespace: 'suite' }));
      onLoad({ filter: /./, namespace: 'suite' }, ({ path }) => ({
        contents: `module.exports = globalThis.contentgenSuite.modules['${path}'];`,
      }));
    },
  };
}

/** Imports of sources become imports of the package; internals only where the manifest grants them. */
function fromPackage(file) {
  return {
    name: 'from-package',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^\./ }, async ({ path, importer, resolveDir, kind }) => {
        const source = relative(root, join(resolveDir, path));
        const entry = entries.get(source);
        const inTests = relative(root, importer).startsWith('test/');
        if (entry && inTests) {
          if (entry !== '@contentgen/as-namespace') return resolve(entry, { resolveDir, kind });
          return { path: entry, namespace: 'entry' };
        }
        if (/^(src|mock-server)\//.test(source) && !places[file]?.internals)
          throw new Error(`${file} imports ${source}, which no entry exports`);
        return undefined;
      });
      onLoad({ filter: /./, namespace: 'entry' }, () => ({
        contents: `export const build = 'packed'; export * as contentgen from 'contentgen';`,
        resolveDir: root,
      }));
    },
  };
}

/** Substitutes for Node's HMAC, buffers and setImmediate, for the tests only: the package cannot reach them. */
function withoutNode() {
  return {
    name: 'without-node',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:crypto$/ }, () => ({ path: join(here, 'shim/node-crypto.mjs') }));
      onResolve({ filter: /\/loopback\.ts$/ }, () => ({ path: join(here, 'shim/no-sockets.mjs') }));
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!relative(root, path).startsWith('test/')) return undefined;
        const needs = ['Buffer', 'setImmediate'].filter((name) => text.includes(`${name}`));
        if (needs.length === 0) return undefined;
        const stand = join(here, 'shim/node-globals.mjs');
        const line = `import { ${needs.join(', ')} } from ${JSON.stringify(stand)};`;
        return { contents: `${line}\n${text}`, loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}
