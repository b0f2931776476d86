import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { commonJsEntries, outputName } from './entries.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const cache = join(root, 'node_modules/.cache/contentgen');

/** A chunk with less is small. */
const SMALL_BYTES = 8000;

/** A quoted path of another built file, without its extension. */
const RELATIVE = /["'](\.{1,2}\/[^"'\s]+)\.js["']/g;

rmSync(dist, { recursive: true, force: true });
rmSync(cache, { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules/tsup/dist/cli-default.js')], {
  cwd: root,
  stdio: 'inherit',
});
await mergeSmallChunks();
await buildDashboard();
const required = Object.keys(commonJsEntries).map(outputName);
for (const file of withImported(required.map((name) => `${name}.js`))) await toCommonJs(file);
for (const file of withImported(required.map((name) => `${name}.d.ts`))) declareForRequire(file);
writeFileSync(join(root, 'THIRD_PARTY_NOTICES'), notices());

/**
 * Makes one file of the small chunks that entries share: to load a file costs an import about as much as 20 kB of code.
 */
async function mergeSmallChunks() {
  const files = readdirSync(dist).filter((file) => file.endsWith('.js'));
  let small = files.filter(
    (file) => file.startsWith('chunk-') && statSync(join(dist, file)).size < SMALL_BYTES,
  );
  // One that needs a large one stays apart: what loads the small ones would load that too.
  for (let kept; kept?.length !== small.length; ) {
    kept = small;
    small = kept.filter((file) => importedBy(file).every((name) => kept.includes(name)));
  }
  const merged = 'chunk-shared.js';
  const { metafile } = await build({
    stdin: {
      contents: small.map((file) => `export * from './${file}';`).join('\n'),
      resolveDir: dist,
    },
    bundle: true,
    external: files.filter((file) => !small.includes(file)).map((file) => `./${file}`),
    format: 'esm',
    metafile: true,
    outfile: join(dist, merged),
    platform: 'neutral',
    target: 'es2022',
  });
  const [{ imports, exports }] = Object.values(metafile.outputs);
  const exported = small.flatMap((file) => exportsOf(readFileSync(join(dist, file), 'utf8')));
  if (imports.length > 0 || exports.length !== exported.length) {
    throw new Error(
      'Failed to merge the small chunks: two export the same name, or one needs a large one.',
    );
  }
  const names = new RegExp(`(["'])(\\.{1,2}/)(?:${small.join('|')})\\1`, 'g');
  for (const file of small) rmSync(join(dist, file));
  for (const file of readdirSync(dist, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const source = readFileSync(join(dist, file), 'utf8');
    const own = source.replace(names, (reference, quote, folder) =>
      dirname(join(file, '..', folder, merged)) === '.'
        ? `${quote}${folder}${merged}${quote}`
        : reference,
    );
    if (own !== source) writeFileSync(join(dist, file), own);
  }
}

/** The built files in the same folder that a chunk imports. */
function importedBy(file) {
  const source = readFileSync(join(dist, file), 'utf8');
  return Array.from(source.matchAll(/from\s*["']\.\/([^"']+)["']/g), ([, name]) => name);
}

/** The names that a chunk exports; all are in its last statement. */
function exportsOf(source) {
  const [, list = ''] = /^export \{([^}]*)\};?\s*$/m.exec(source) ?? [];
  return list.split(',').map((name) => name.trim());
}

/** Builds the dashboard's page and assets into `dist/mock/dashboard`. */
async function buildDashboard() {
  // A test runner that builds would otherwise get the page of development.
  process.env['NODE_ENV'] = 'production';
  const configFile = join(root, 'mock-server/dashboard/vite.config.ts');
  const vite = await import('vite');
  const result = await vite.build({ configFile, logLevel: 'warn' });
  const chunks = [result].flat().flatMap(({ output }) => output);
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules ?? {}));
  const packages = modules.flatMap((path) => {
    const found = /(?:^|\/)(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
    return found ? [found[1]] : [];
  });
  writeFileSync(join(cache, 'bundled-dashboard.json'), JSON.stringify([...new Set(packages)]));
}

/** Adds the files of `dist` that these files import. Declarations name the `.js` file that they describe. */
function withImported(files) {
  const found = new Set(files);
  for (const file of found) {
    const source = readFileSync(join(dist, file), 'utf8');
    for (const [, path] of source.matchAll(RELATIVE)) {
      const imported = join(dirname(file), file.endsWith('.d.ts') ? `${path}.d.ts` : `${path}.js`);
      if (existsSync(join(dist, imported))) found.add(imported);
    }
  }
  return found;
}

/**
 * Writes a CommonJS file next to an ES module, so that entries share their chunks, and thus their classes, in both
 * formats. `import()` becomes `require()`, because Jest without flags cannot run `import()`.
 */
async function toCommonJs(file) {
  const source = readFileSync(join(dist, file), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
  const { code } = await transform(source, {
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__fileUrl' },
    // Otherwise a minified bundle would be printed with white space and grow by a sixth.
    minify: /^mock\//.test(file),
    legalComments: 'none',
  });
  const url = code.includes('__fileUrl')
    ? 'var __fileUrl=require("node:url").pathToFileURL(__filename).href;\n'
    : '';
  writeFileSync(
    join(dist, file.replace(/\.js$/, '.cjs')),
    url + code.replace(RELATIVE, '"$1.cjs"'),
  );
}

/**
 * Writes the declarations for `require()`. The contract's types are 0.1 MB and the same in both formats, so their file
 * refers to the other one.
 */
function declareForRequire(file) {
  const source = readFileSync(join(dist, file), 'utf8');
  const text = file.startsWith('openapi-')
    ? `export type * from './${file.replace(/\.d\.ts$/, '.js')}' with { 'resolution-mode': 'import' };\n`
    : source.replace(RELATIVE, "'$1.cjs'");
  writeFileSync(join(dist, file.replace(/\.d\.ts$/, '.d.cts')), text);
}

/** Returns the licenses of all bundled packages. */
function notices() {
  const folders = new Set(
    readdirSync(cache).flatMap((file) => JSON.parse(readFileSync(join(cache, file), 'utf8'))),
  );
  const sections = [...folders].sort().map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((name) => /^licen[cs]e/i.test(name));
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : undefined;
    if (!text && !manifest.license) throw new Error(`Failed to find a license in ${folder}.`);
    return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text ?? 'No license text is shipped with this package.'}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  return `This package contains code from the following packages.\n${line}${sections.join(line)}`;
}
