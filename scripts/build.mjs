import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/contentgen');

rmSync(join(root, 'dist'), { recursive: true, force: true });
rmSync(cache, { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules/tsup/dist/cli-default.js')], {
  cwd: root,
  stdio: 'inherit',
});
await buildDashboard();
for (const file of withChunks(
  globSync('dist/{*,webhooks/*,mock/{remote,simulate}}.js', { cwd: root }),
))
  await toCommonJs(file);
shareContract();
writeFileSync(join(root, 'THIRD_PARTY_NOTICES'), notices());

/** Builds the dashboard's page and assets into `dist/mock/dashboard`. */
async function buildDashboard() {
  const configFile = join(root, 'mock-server/dashboard/vite.config.ts');
  const { build } = await import('vite');
  const result = await build({ configFile, logLevel: 'warn' });
  const chunks = [result].flat().flatMap(({ output }) => output);
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules ?? {}));
  const packages = modules.flatMap((path) => {
    const found = /(?:^|\/)(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
    return found ? [found[1]] : [];
  });
  writeFileSync(join(cache, 'bundled-dashboard.json'), JSON.stringify([...new Set(packages)]));
}

/** The contract's types are 0.1 MB and the same in both formats, so the file for `require()` refers to the other one. */
function shareContract() {
  const folder = join(root, 'dist');
  const [required, imported] = ['d.cts', 'd.ts'].map(
    (extension) => globSync(`openapi-*.${extension}`, { cwd: folder })[0],
  );
  const [one, other] = [required, imported].map((name) => readFileSync(join(folder, name), 'utf8'));
  if (one !== other) throw new Error(`${required} and ${imported} differ.`);
  const path = `./${imported.replace(/\.d\.ts$/, '.js')}`;
  const reference = `export type * from '${path}' with { 'resolution-mode': 'import' };\n`;
  writeFileSync(join(folder, required), reference);
}

/** Adds the chunks that the files import: those that `contentgen/node` shares with the reference server. */
function withChunks(files) {
  const found = new Set(files);
  for (const file of found) {
    const source = readFileSync(join(root, file), 'utf8');
    for (const [, name] of source.matchAll(/["'](?:\.{1,2}\/)+(?:mock\/)?(chunk-\w+\.js)["']/g)) {
      const chunk = `dist/mock/${name}`;
      if (existsSync(join(root, chunk))) found.add(chunk);
    }
  }
  return found;
}

/**
 * Writes a CommonJS file next to an ES module, so that entries share their chunks, and thus their classes, in both
 * formats. `import()` becomes `require()`, because Jest without flags cannot run `import()`.
 */
async function toCommonJs(file) {
  const source = readFileSync(join(root, file), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
  const { code } = await transform(source, {
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    supported: { 'dynamic-import': false },
    // Otherwise a minified bundle would be printed with white space and grow by a sixth.
    minify: /^dist\/(?:node\.js|mock\/chunk-)/.test(file),
    legalComments: 'none',
  });
  const relative = /(\brequire\(["']\.{1,2}\/[^"']+)\.js(["']\))/g;
  writeFileSync(join(root, file.replace(/\.js$/, '.cjs')), code.replace(relative, '$1.cjs$2'));
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
