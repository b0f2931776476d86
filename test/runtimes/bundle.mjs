import { build } from 'esbuild';

/** What users import stays outside; `import()` becomes `require()`. */
export function bundleForCommonJs(entry, application) {
  return bundle(entry, application, {
    format: 'cjs',
    platform: 'node',
    external: ['contentgen', 'contentgen/*'],
    supported: { 'dynamic-import': false },
  });
}

/** One script with the package in it, for a page and for the edge runtime. */
export function bundleForWeb(entry, application) {
  return bundle(entry, application, { format: 'iife', conditions: ['worker', 'import'] });
}

/** A Worker, with the package in it. */
export function bundleWorker(entry, application) {
  return bundle(entry, application, { format: 'esm', conditions: ['worker', 'import'] });
}

async function bundle(entry, application, options) {
  const { outputFiles } = await build({
    absWorkingDir: application.folder,
    entryPoints: [entry],
    bundle: true,
    write: false,
    logLevel: 'error',
    platform: 'neutral',
    target: 'es2023',
    mainFields: ['module', 'main'],
    // Without our path mappings, which lead to the sources.
    tsconfigRaw: '{}',
    ...options,
    external: ['node:*', ...(options.external ?? [])],
  });
  return outputFiles[0].text;
}
