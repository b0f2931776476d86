// What clients cost: CPU per call over an injected fetch, import time, size. Compare ratios within one run.
// npm run build && npm ci --prefix bench && node --expose-gc bench/client/cost.mjs [--quick] [--write]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { success } from '../bake-off/server.mjs';
import { writeTables } from '../comparison.mjs';
import { callsOver, measure, median } from './calls.mjs';

const quick = process.argv.includes('--quick');
const root = fileURLToPath(new URL('../..', import.meta.url));
const bench = fileURLToPath(new URL('..', import.meta.url));

const table = (head, rows) =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map((_, index) => (index ? ' --: ' : ' --- ')).join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
const relative = (figures, base) =>
  Object.entries(figures)
    .sort(([, a], [, b]) => a - b)
    .map(([name, value]) => [name, `${value.toFixed(1)}`, (value / figures[base]).toFixed(2)]);

async function inProcess() {
  const body = JSON.stringify(success);
  const fetch = async () =>
    new Response(body, { headers: { 'content-type': 'application/json', 'request-id': 'r' } });
  const global = globalThis.fetch;
  globalThis.fetch = fetch;
  try {
    const cases = callsOver('https://api.example.com', fetch);
    return await measure(cases, { rounds: quick ? 2 : 7, calls: quick ? 500 : 3000 });
  } finally {
    globalThis.fetch = global;
  }
}

const packages = {
  contentgen: join(root, 'dist/index.js'),
  'openapi-fetch': 'openapi-fetch',
  resend: 'resend',
  svix: 'svix',
  workos: '@workos-inc/node',
  ky: 'ky',
  octokit: '@octokit/core',
  stripe: 'stripe',
  openai: 'openai',
  anthropic: '@anthropic-ai/sdk',
};

function importing() {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-bench-'));
  const cpu = (name, code) => {
    const file = join(bench, `.import-${name.replaceAll('/', '-')}.mjs`);
    writeFileSync(
      file,
      `${code}\nconst { user, system } = process.cpuUsage();\nconsole.log((user + system) / 1000);\n`,
    );
    try {
      return Number(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
    } finally {
      rmSync(file);
    }
  };
  const all = {
    empty: '',
    ...Object.fromEntries(
      Object.entries(packages).map(([name, path]) => [name, `import ${JSON.stringify(path)};`]),
    ),
  };
  const times = Object.fromEntries(Object.keys(all).map((name) => [name, []]));
  for (let round = 0; round < (quick ? 3 : 11); round += 1) {
    for (const [name, code] of Object.entries(all)) times[name].push(cpu(name, code));
  }
  rmSync(folder, { recursive: true });
  const empty = median(times.empty);
  return Object.fromEntries(
    Object.keys(packages).map((name) => [name, median(times[name]) - empty]),
  );
}

async function size(path) {
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(path)}`, resolveDir: bench },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000;
}

const calls = await inProcess();
const imports = importing();
const sizes = Object.fromEntries(
  await Promise.all(Object.entries(packages).map(async ([name, path]) => [name, await size(path)])),
);
const text = [
  '### CPU per call over an injected fetch',
  '',
  table(['client', 'µs', 'openapi-fetch = 1'], relative(calls, 'openapi-fetch')),
  '',
  '### Import and size',
  '',
  table(
    ['package', 'import, CPU ms above an empty process', 'all exports, min + gzip, kB'],
    Object.keys(packages)
      .sort((a, b) => sizes[a] - sizes[b])
      .map((name) => [name, imports[name].toFixed(1), sizes[name].toFixed(1)]),
  ),
].join('\n');
console.log(text);
if (process.argv.includes('--write')) writeTables('costs', text);
process.exit();
