import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  clientEntries,
  commandEntry,
  commonJsEntries,
  mockEntries,
  specifier,
} from '../../scripts/entries.ts';
import { root } from '../support/sources.ts';
import { type Application, copyApplication } from './installed.ts';

let application: Application;
const installed = () => join(application.folder, 'node_modules/contentgen');

beforeAll(() => {
  application = copyApplication(inject('installation'));
});

afterAll(() => {
  application?.remove();
});

const manifestOf = (folder: string): { readonly name: string; readonly version: string } =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** The folders of the packages in the reference server and its page, from the metafile of a build apart from ours. */
function bundledPackages(): string[] {
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: [
      ...Object.values(mockEntries),
      ...Object.values(commandEntry),
      'mock-server/dashboard/main.tsx',
    ],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unwritten',
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    external: ['msw', '@sinonjs/fake-timers', '@electric-sql/pglite'],
    logLevel: 'silent',
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = inputs.flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [],
  );
  return [...new Set(folders)];
}

describe('installed from its tarball', () => {
  test('its only dependencies are openapi-fetch and its types helper, and all of it stays under 5.15 MB', () => {
    const packages = globSync('node_modules/{*,@*/*}/package.json', { cwd: application.folder });
    expect(packages.map((path) => path.split('/').at(-2)).sort()).toEqual([
      'contentgen',
      'openapi-fetch',
      'openapi-typescript-helpers',
    ]);
    const files = globSync('node_modules/**/*', { cwd: application.folder });
    const bytes = files
      .map((path) => statSync(join(application.folder, path)))
      .filter((file) => file.isFile())
      .reduce((sum, { size }) => sum + size, 0);
    // openapi-fetch has 0.25 MB of it; what only a client with a deployment loads, 0.02.
    expect(bytes).toBeLessThan(5_150_000);
  });

  test('it contains the contract', () => {
    expect(readFileSync(join(installed(), 'openapi.yaml'), 'utf8')).toBe(
      readFileSync(join(root, 'openapi.yaml'), 'utf8'),
    );
  });

  test('it contains the license of each package that a bundle of the same sources takes code from', () => {
    const notices = readFileSync(join(installed(), 'THIRD_PARTY_NOTICES'), 'utf8');
    const packages = bundledPackages();
    expect(packages.length).toBeGreaterThan(7);
    const missing = packages.filter((folder) => {
      const [license] = globSync(join(root, folder, '{LICENSE,LICENCE,license}*'));
      return !license || !notices.includes(readFileSync(license, 'utf8').trim());
    });
    expect(missing).toEqual([]);
    const { name, version } = packages.map(manifestOf).find(({ name }) => name === 'undici') ?? {};
    expect(notices).toContain(`\n${name} ${version} (MIT)\n`);
  });

  test('no file of it evaluates text', () => {
    const files = globSync('dist/**/*.{js,cjs,mjs}', { cwd: installed() });
    expect(files.length).toBeGreaterThan(20);
    const evaluates = /(?<![\w$.])eval\(|\bnew Function\b|(?<![\w$.])Function\(/;
    const found = files.filter((file) =>
      evaluates.test(readFileSync(join(installed(), file), 'utf8')),
    );
    expect(found).toEqual([]);
  });
});

describe('every declaration compiles in a strict consumer', () => {
  const everything = [...Object.keys(clientEntries), ...Object.keys(mockEntries)].map(specifier);
  const lines = (names: string[]) =>
    names.map((name, i) => `export type * as m${i} from '${name}';`).join('\n');

  beforeAll(() => {
    application.link('zod', 'msw', '@opentelemetry/api', '@types/node', 'undici-types');
    application.write('all.mts', lines(everything));
    application.write('required.cts', lines(Object.keys(commonJsEntries).map(specifier)));
  });

  // Each compiler and each way to resolve modules once; exports.test.ts has TypeScript 5 with NodeNext.
  test.each([
    ['typescript-7', 'ESNext', 'Bundler', 'msw'],
    // MSW 3 consists of ES modules, so a CommonJS project with module Node16 cannot have it.
    ['typescript', 'Node16', 'Node16', 'msw-2'],
  ])('by %s with module %s', (compiler, module, moduleResolution, msw) => {
    application.linkAs('msw', msw);
    const config = {
      compilerOptions: {
        target: 'ES2022',
        lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
        types: ['node'],
        module,
        moduleResolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: false,
      },
      files: ['all.mts', 'required.cts'],
    };
    application.write('tsconfig.json', JSON.stringify(config));
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
    expect(compile(tsc)).toBe('');
  });

  function compile(tsc: string): string {
    try {
      return execFileSync(process.execPath, [tsc, '-p', application.folder], { encoding: 'utf8' });
    } catch (error) {
      const lines = (error as { stdout: string }).stdout.split('\n');
      // What MSW 2 imports consists of ES modules, so its own declarations do not compile with Node16.
      return lines.filter((line) => !line.includes('node_modules/msw-2/')).join('');
    }
  }
});
