import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import {
  clientEntries,
  commandEntry,
  innerEntries,
  mockEntries,
  outputName,
} from './scripts/entries.ts';

const { './mock/remote': remoteEntry, ...serverEntries } = mockEntries;
const universal = outputs({ ...clientEntries, ...innerEntries, './mock/remote': remoteEntry });
const server = outputs(serverEntries);
const declared = outputs({ ...clientEntries, ...mockEntries });

const shared: Options = {
  outDir: 'dist',
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  dts: false,
  removeNodeProtocol: false,
  external: [/^node:/],
};

/** Bundles that are mostly dependencies: minified, without source maps. */
const bundled: Options = {
  ...shared,
  noExternal: [/^(?!msw(\/|$)|@sinonjs\/fake-timers$|@electric-sql\/pglite$|node:)/],
  plugins: [builtinsWithoutRequire()],
  esbuildOptions(options) {
    options.chunkNames = 'mock/chunk-[hash]';
    options.minify = true;
    // Node prints the line that throws, so a mistake in an option would print all of a file.
    options.lineLimit = 120;
    options.legalComments = 'none';
  },
};

/**
 * Every entry is built as an ES module: the entries that run anywhere, and the reference server (everything but MSW
 * bundled). One configuration
 * emits all declarations, so that entries share types. `scripts/build.mjs` derives what CommonJS needs from these files.
 */
export default defineConfig([
  {
    ...shared,
    name: 'universal',
    format: 'esm',
    entry: universal,
    treeshake: true,
    esbuildPlugins: [recordBundled('universal')],
  },
  {
    ...bundled,
    name: 'mock',
    format: 'esm',
    entry: server,
    esbuildPlugins: [onlyDispatchers(), recordBundled('mock')],
  },
  // Each of the command's many parts would otherwise cut what it shares with the mock into a further file, and of those the
  // import of the mock took longer than of its code.
  {
    ...bundled,
    name: 'command',
    format: 'esm',
    entry: outputs(commandEntry),
    esbuildPlugins: [loadBuiltMock(), recordBundled('command')],
  },
  {
    ...shared,
    name: 'declarations',
    format: 'esm',
    entry: declared,
    dts: { only: true },
  },
]);

function outputs(entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).map(([subpath, source]) => [outputName(subpath), source]),
  );
}

/** Bundles undici without its fetch, caches and mocks: half the size. A missing name fails the build. */
function onlyDispatchers(): NonNullable<Options['esbuildPlugins']>[number] {
  const parts = {
    Agent: 'dispatcher/agent',
    Client: 'dispatcher/client',
    Pool: 'dispatcher/pool',
    ProxyAgent: 'dispatcher/proxy-agent',
    EnvHttpProxyAgent: 'dispatcher/env-http-proxy-agent',
    buildConnector: 'core/connect',
    errors: 'core/errors',
  };
  return {
    name: 'only-dispatchers',
    setup(build) {
      build.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'dispatchers' }));
      build.onLoad({ filter: /^undici$/, namespace: 'dispatchers' }, () => ({
        contents: [
          ...Object.entries(parts).map(
            ([name, path]) => `export { default as ${name} } from 'undici/lib/${path}.js';`,
          ),
          // undici's index attaches its whole API to the dispatcher; proxies need only `connect`.
          "import dispatcher from 'undici/lib/dispatcher/dispatcher.js';",
          "import connect from 'undici/lib/api/api-connect.js';",
          'dispatcher.prototype.connect = connect;',
        ].join('\n'),
        resolveDir: process.cwd(),
      }));
    },
  };
}

/** The command loads the built mock and its socket, in place of copies of them. */
function loadBuiltMock(): NonNullable<Options['esbuildPlugins']>[number] {
  const built = new Map([
    [mockEntries['./mock'], './index.js'],
    [mockEntries['./mock/http'], './http.js'],
  ]);
  return {
    name: 'load-built-mock',
    setup(build) {
      build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const file = built.get(relative(process.cwd(), join(resolveDir, path)));
        return file === undefined ? undefined : { path: file, external: true };
      });
    },
  };
}

/**
 * Bundled CommonJS dependencies load built-in modules with `require`, which ES modules lack:
 * each call becomes `process.getBuiltinModule`, evaluated at the same place and time.
 */
function builtinsWithoutRequire(): NonNullable<Options['plugins']>[number] {
  return {
    name: 'builtins-without-require',
    renderChunk(code) {
      const builtins = code.replace(
        // A call of esbuild's `require`, whatever name the minifier gave it.
        /(?<![.\w$])(?!import\()[\w$]+\((?=["']node:)/g,
        'process.getBuiltinModule(',
      );
      // publint does not find an export statement that follows other code on the same line.
      return { code: builtins.replace(/\}(export\{[^{}]*\};?\s*)$/, '}\n$1') };
    },
  };
}

/** Records which packages were bundled; `scripts/build.mjs` collects their licenses. */
function recordBundled(name: string): NonNullable<Options['esbuildPlugins']>[number] {
  return {
    name: 'record-bundled',
    setup(build) {
      build.onEnd(({ metafile }) => {
        const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) =>
          Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
        );
        const packages = inputs.flatMap(([path]) => {
          const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
          return found?.[1] ? [found[1]] : [];
        });
        mkdirSync('node_modules/.cache/contentgen', { recursive: true });
        writeFileSync(
          `node_modules/.cache/contentgen/bundled-${name}.json`,
          JSON.stringify([...new Set(packages)].sort()),
        );
      });
    },
  };
}
