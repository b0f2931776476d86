import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { clientEntries, commandEntry, mockEntries, outputName } from './scripts/entries.ts';

const { './node': nodeEntry, ...universalEntries } = clientEntries;
const client = outputs(universalEntries);
const node = outputs({ './node': nodeEntry });
const mock = outputs(mockEntries);

const shared: Options = {
  outDir: 'dist',
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  dts: false,
  removeNodeProtocol: false,
  external: [/^node:/],
};

/** For what is mostly other people's code: no source maps, no white space. */
const bundled: Options = {
  ...shared,
  esbuildOptions(options) {
    options.chunkNames = 'mock/chunk-[hash]';
    options.minifySyntax = true;
    options.minifyWhitespace = true;
    options.legalComments = 'none';
  },
};

/**
 * The client, its entry for Node (undici inside), the mock with everything but MSW inside, and one
 * configuration that emits every declaration, so that all entries share their types. All are ES
 * modules; `scripts/build.mjs` makes the CommonJS of the client from them, file by file.
 */
export default defineConfig([
  {
    ...shared,
    name: 'client',
    format: 'esm',
    entry: client,
    sourcemap: true,
    treeshake: true,
    esbuildPlugins: [recordBundled('client')],
  },
  {
    ...bundled,
    name: 'node',
    format: 'esm',
    entry: node,
    plugins: [builtinsWithoutRequire()],
    esbuildPlugins: [onlyDispatchers(), recordBundled('node')],
  },
  {
    ...bundled,
    name: 'mock',
    format: 'esm',
    entry: { ...mock, ...outputs(commandEntry) },
    noExternal: [/^(?!msw(\/|$)|node:)/],
    plugins: [builtinsWithoutRequire()],
    esbuildPlugins: [onlyDispatchers(), recordBundled('mock')],
  },
  {
    ...shared,
    name: 'declarations',
    format: ['esm', 'cjs'],
    entry: { ...client, ...node, ...mock },
    dts: { only: true },
  },
]);

function outputs(entries: Record<string, string>): Record<string, string> {
  const present = Object.entries(entries).filter(([, source]) => existsSync(source));
  return Object.fromEntries(present.map(([subpath, source]) => [outputName(subpath), source]));
}

/** undici without its fetch, caches and mocks: half the size. A name missing here fails the build. */
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
          // The one call of undici's own API that its proxies make; its index hangs all of them there.
          "import dispatcher from 'undici/lib/dispatcher/dispatcher.js';",
          "import connect from 'undici/lib/api/api-connect.js';",
          'dispatcher.prototype.connect = connect;',
        ].join('\n'),
        resolveDir: process.cwd(),
      }));
    },
  };
}

/**
 * A bundled CommonJS dependency asks for built-in modules with `require`, which ES modules lack.
 * They get them from `process.getBuiltinModule`, evaluated where and when the call was.
 */
function builtinsWithoutRequire(): NonNullable<Options['plugins']>[number] {
  return {
    name: 'builtins-without-require',
    renderChunk(code) {
      const builtins = code.replace(/\b__require\d*\((?=["']node:)/g, 'process.getBuiltinModule(');
      // Minified, the exports hang on the code before them, where publint does not see them.
      return { code: builtins.replace(/\}(export\{[^{}]*\};?\s*)$/, '}\n$1') };
    },
  };
}

/** Notes which packages were really bundled; `scripts/build.mjs` collects their licences. */
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
