import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { budgets, pageBudget, peers } from './size-budgets.mjs';

// Measures what users ship: each entry in one file, min + gzip, as esbuild bundles by default, so that what an entry
// loads lazily is part of it. Fails if one is larger than its budget. Run `npm run build` first.
for (const { name, path, imports = '*', limit } of budgets) {
  const from = `./dist/${path}.js`;
  const contents =
    imports === '*'
      ? `export * from '${from}'`
      : `import { ${imports} } from '${from}'; console.log(${imports})`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    legalComments: 'none',
    logLevel: 'error',
    external: peers,
  });
  report(name, bytesOf(outputFiles[0].contents), limit);
}
const folder = 'dist/mock/dashboard/';
const html = readFileSync(`${folder}index.html`);
const named = [...String(html).matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => path);
const first = [html, ...named.map((path) => readFileSync(folder + path))];
report(
  'the page',
  first.map(bytesOf).reduce((sum, bytes) => sum + bytes),
  pageBudget,
);

function bytesOf(content) {
  return gzipSync(content, { level: 9 }).length;
}

function report(name, bytes, limit) {
  const size = bytes / 1000;
  const fits = size <= limit;
  if (!fits) process.exitCode = 1;
  console.log(`${fits ? 'ok  ' : 'FAIL'} ${name}: ${size.toFixed(2)} kB of ${limit}`);
}
