// What clients cost: CPU per call over an injected fetch, import time, size. Compare ratios within one run.
// npm run build && npm ci --prefix bench && node --expose-gc bench/client/cost.mjs [--quick] [--write]
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { success } from '../bake-off/server.mjs';
import { writeTables } from '../comparison.mjs';
import { inTurns, median } from '../turns.ts';
import { callsOver } from './calls.mjs';

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

const medians = (figures) =>
  Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, median(values)]));

async function inProcess() {
  const body = JSON.stringify(success);
  const fetch = async () =>
    new Response(body, { headers: { 'content-type': 'application/json', 'request-id': 'r' } });
  const global = globalThis.fetch;
  globalThis.fetch = fetch;
  try {
    const entries = Object.entries(callsOver('https://api.example.com', fetch));
    const cases = Object.fromEntries(entries.map(([name, call]) => [name, () => call]));
    const rounds = { rounds: quick ? 2 : 7, calls: quick ? 500 : 3000, warmUp: 1 };
    return medians(await inTurns(cases, rounds));
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
  const report =
    'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);';
  const cpu = (code) => {
    const args = ['--input-type=module', '--eval', `${code}\n${report}`];
    return Number(execFileSync(process.execPath, args, { cwd: bench, encoding: 'utf8' }));
  };
  const all = {
    empty: '',
    ...Object.fromEntries(
      Object.entries(packages).map(([name, path]) => [name, `import ${JSON.stringify(path)};`]),
    ),
  };
  const times = Object.fromEntries(Object.keys(all).map((name) => [name, []]));
  for (let round = 0; round < (quick ? 3 : 11); round += 1) {
    for (const [name, code] of Object.entries(all)) times[name].push(cpu(code));
  }
  const { empty, ...others } = medians(times);
  return Object.fromEntries(Object.entries(others).map(([name, value]) => [name, value - empty]));
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
for (const [what, costs, most] of [
  ['a call', calls, 1.4],
  ['the import', imports, 4],
]) {
  const ratio = costs.contentgen / costs['openapi-fetch'];
  if (ratio > most) process.exitCode = 1;
  console.log(
    `${ratio > most ? 'NO ' : 'ok '} ${what} costs at most ${most} times that of openapi-fetch (${ratio.toFixed(2)})`,
  );
}
if (process.argv.includes('--write')) writeTables('costs', text);
process.exit();
