import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { clientEntries, commandEntry, mockEntries, outputName } from './scripts/entries.ts';

const client = outputs(clientEntries);
const mock = outputs(mockEntries);

const shared: Options = {
  outDir: 'dist',
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  dts: false,
  removeNodeProtocol: false,
  external: [/^node:/],
  silent: true,
};

/**
 * Four configurations: the client as ESM and as CommonJS, the mock as ESM with everything but MSW
 * inside, and one that emits every declaration, so that all entries share their types.
 */
export default defineConfig([
  {
    ...shared,
    name: 'client esm',
    format: 'esm',
    entry: client,
    sourcemap: true,
    treeshake: true,
    plugins: [builtinsWithoutRequire()],
    esbuildPlugins: [recordBundled('client-esm')],
  },
  {
    ...shared,
    name: 'client cjs',
    format: 'cjs',
    entry: client,
    sourcemap: true,
    treeshake: true,
    esbuildPlugins: [recordBundled('client-cjs')],
  },
  {
    ...shared,
    name: 'mock',
    format: 'esm',
    entry: { ...mock, ...outputs(commandEntry) },
    noExternal: [/^(?!msw(\/|$)|node:)/],
    esbuildOptions(options) {
      options.chunkNames = 'mock/chunk-[hash]';
      options.minifySyntax = true;
      options.minifyWhitespace = true;
      options.legalComments = 'none';
      options.mainFields = ['module', 'main'];
    },
    plugins: [builtinsWithoutRequire()],
    esbuildPlugins: [recordBundled('mock')],
  },
  {
    ...shared,
    name: 'declarations',
    format: ['esm', 'cjs'],
    entry: { ...client, ...mock },
    dts: { only: true },
  },
]);

function outputs(entries: Record<string, string>): Record<string, string> {
  const present = Object.entries(entries).filter(([, source]) => existsSync(source));
  return Object.fromEntries(present.map(([subpath, source]) => [outputName(subpath), source]));
}

/**
 * A bundled CommonJS dependency asks for built-in modules with `require`, which ES modules lack.
 * They get them from `process.getBuiltinModule`, evaluated where and when the call was.
 */
function builtinsWithoutRequire(): NonNullable<Options['plugins']>[number] {
  return {
    name: 'builtins-without-require',
    renderChunk(code) {
      return { code: code.replace(/\b__require\d*\((?=["']node:)/g, 'process.getBuiltinModule(') };
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
