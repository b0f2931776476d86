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
  outputName,
  specifier,
} from '../../scripts/entries.ts';
import { root } from '../support/sources.ts';
import { type Application, copyApplication, nodes } from './installed.ts';

let application: Application;
const installed = () => join(application.folder, 'node_modules/contentgen');

/** Entries that cannot load without a peer. */
const needsPeer = ['./otel', './schemas', './mock/msw', './mock/node', './mock/browser'];
const mswNode = 22;

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

  test('entries for every runtime import no built-in module of Node when they load', () => {
    const entries = ['.', './webhooks', './webhooks/redis', './webhooks/postgres', './testing'];
    for (const subpath of [...entries, './mock', './mock/remote']) {
      const reached = loadedAtOnce(`dist/${outputName(subpath)}.js`);
      expect({ subpath, builtins: reached.filter((name) => name.startsWith('node:')) }).toEqual({
        subpath,
        builtins: [],
      });
    }
  });
});

describe.each(nodes())('on Node $major', ({ path: node, major }) => {
  const withoutPeers = (entries: Readonly<Record<string, string>>) =>
    Object.keys(entries)
      .filter((subpath) => !needsPeer.includes(subpath))
      .map(specifier);

  test('each entry without peers can be imported', () => {
    const exported = importAll(withoutPeers({ ...clientEntries, ...mockEntries }));
    for (const [name, keys] of Object.entries(exported)) {
      expect({ name, exports: keys.length > 0 }).toEqual({ name, exports: true });
    }
  });

  test('each entry with CommonJS files can be required, with the same exports', () => {
    const names = withoutPeers(commonJsEntries);
    application.write(
      'require.cjs',
      `console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(names)}.map(
        (name) => [name, Object.keys(require(name)).filter((key) => key !== "default").sort()]))))`,
    );
    expect(JSON.parse(application.run(node, 'require.cjs'))).toEqual(importAll(names));
  });

  test('each entry with a peer can be imported once the peer is installed', () => {
    application.link('zod', 'msw', '@opentelemetry/api');
    const names = ['contentgen/otel', 'contentgen/schemas', 'contentgen/mock/msw'];
    if (major >= mswNode) names.push('contentgen/mock/node');
    for (const keys of Object.values(importAll(names))) expect(keys.length).toBeGreaterThan(0);
  });

  test('the entry for browsers cannot be imported', () => {
    application.write('browser.mjs', "await import('contentgen/mock/browser');");
    expect(() => application.run(node, 'browser.mjs')).toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  test('a generation runs against the reference server, in ESM and CommonJS', () => {
    const story = `
      const mock = createMockServer({ seed: 1 });
      const client = new ContentGen({ baseUrl: mock.baseUrl, apiKey: mock.adminKey, fetch: mock.fetch });
      const { status, result } = await client.content.generate({ prompt: 'A haiku about TCP' });
      console.log(status, typeof result);`;
    application.write(
      'story.mjs',
      `import { ContentGen } from 'contentgen';
      import { createMockServer } from 'contentgen/mock';
      ${story}`,
    );
    application.write(
      'story.cjs',
      `const { ContentGen } = require('contentgen');
      const { createMockServer } = require('contentgen/mock');
      (async () => {${story}})();`,
    );
    expect(application.run(node, 'story.mjs')).toBe('completed string\n');
    expect(application.run(node, 'story.cjs')).toBe('completed string\n');
  });

  test('a signed message is verified, and a changed one is rejected', () => {
    const check = `
      const secret = 'whsec_' + Buffer.alloc(32, 7).toString('base64');
      const body = '{"event":"data_updated"}';
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = await signWebhook({ id: 'msg_1', timestamp, body, secret });
      const event = await verifyWebhook({ body, headers, secret });
      const rejected = await verifyWebhook({ body: body + ' ', headers, secret, logger: { ...console, diagnose: false } })
        .catch((error) => error.code);
      console.log(event.type, rejected);`;
    application.write(
      'verify.mjs',
      `import { signWebhook, verifyWebhook } from 'contentgen/webhooks';${check}`,
    );
    application.write(
      'verify.cjs',
      `const { signWebhook, verifyWebhook } = require('contentgen/webhooks');
      (async () => {${check}})();`,
    );
    expect(application.run(node, 'verify.mjs')).toBe('data_updated signature_mismatch\n');
    expect(application.run(node, 'verify.cjs')).toBe('data_updated signature_mismatch\n');
  });

  function importAll(names: string[]): Record<string, string[]> {
    application.write(
      'import.mjs',
      `const names = ${JSON.stringify(names)};
      const loaded = await Promise.all(names.map((name) => import(name)));
      const keys = (module) =>
        Object.keys(module).filter((key) => key !== 'default' && key !== 'module.exports').sort();
      console.log(JSON.stringify(Object.fromEntries(names.map((name, i) => [name, keys(loaded[i])]))));
      process.exit();`,
    );
    return JSON.parse(application.run(node, 'import.mjs'));
  }
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

/** The specifiers that a built file and its static imports load. */
function loadedAtOnce(file: string, seen: Set<string> = new Set()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(join(installed(), file), 'utf8');
  const statics = /(?:^|[;}\s])(?:import|export)\b[^;'"()]*?(?:from)?\s*["']([^"']+)["']/g;
  return [...text.matchAll(statics)].flatMap(([, name = '']) =>
    name.startsWith('.') ? loadedAtOnce(join(file, '..', name), seen) : [name],
  );
}
