// Runs every comparison, or those that are named: npm run bench -- [client server …] [--quick] [--write]
// Installs the competitors if they are missing, and builds the package: the benchmarks measure the build. --write
// writes the output into docs/benchmarks.md, and that of the comparison with other clients into docs/comparison.md.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const flag = (name) => process.argv.includes(`--${name}`);
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const quick = flag('quick') ? ['--quick'] : [];
const written = flag('write') ? ['--write'] : [];

const all = [
  {
    name: 'client',
    title: 'Client: overhead per call, import time and size',
    command: ['--expose-gc', 'bench/client/cost.mjs', ...quick, ...written],
    inComparison: true,
  },
  {
    name: 'webhooks',
    title: 'Verifying webhooks',
    command: ['--no-warnings', '--expose-gc', 'bench/webhooks/verify.ts', ...quick],
  },
  {
    name: 'delivery',
    title: 'Delivering webhooks',
    command: [
      '--no-warnings',
      '--expose-gc',
      'bench/delivery/throughput.ts',
      ...(flag('quick') ? ['5'] : []),
    ],
  },
  {
    name: 'growth',
    title: 'The reference server in process: full and empty',
    command: ['--no-warnings', '--expose-gc', 'bench/service/growth.ts', ...quick],
  },
  {
    name: 'memory',
    title: 'The reference server in process: a million requests in a heap of 256 MB',
    command: [
      '--no-warnings',
      '--max-old-space-size=256',
      'bench/service/memory.ts',
      ...(flag('quick') ? ['20000'] : []),
    ],
  },
  {
    name: 'server',
    title: 'The standalone server: CPU per request, startup, memory, data file',
    command: ['bench/server/run.mjs', ...quick],
  },
  {
    name: 'bake-off',
    title: 'What clients and verifiers do when things go wrong',
    command: ['bench/bake-off.mjs', ...written],
    inComparison: true,
  },
];
const unknown = chosen.filter((name) => !all.some((section) => section.name === name));
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(', ')}. There are ${all.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
const sections = all.filter(({ name }) => chosen.length === 0 || chosen.includes(name));

for (const folder of ['bench', 'bench/server']) {
  if (!existsSync(join(root, folder, 'node_modules'))) npm('ci', '--prefix', folder);
}
npm('run', 'build');

const machine = [
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`,
  `${Math.round(totalmem() / 2 ** 30)} GiB`,
  `${type()} ${release().replace(/-.*/, '')}`,
  `Node ${process.versions.node}`,
].join(', ');
console.log(machine);

const results = [];
let failed = 0;
for (const { name, title, command, inComparison } of sections) {
  console.log(`\n=== ${title}\n`);
  const { status, text } = await run(command);
  if (status !== 0) failed++;
  if (!inComparison)
    results.push(`### ${title}\n\n\`npm run bench -- ${name}\`\n\n${shown(tidy(text))}\n`);
}
if (flag('write')) write();
process.exitCode = failed > 0 ? 1 : 0;
if (failed > 0) console.error(`\n${failed} of ${sections.length} failed`);

function npm(...args) {
  if (spawnSync('npm', args, { cwd: root, stdio: 'inherit' }).status !== 0) process.exit(1);
}

function run(command) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      process.stdout.write(chunk);
    });
    child.on('close', (status) => resolve({ status, text }));
  });
}

/** Removes colors and machine-specific lines. */
function tidy(text) {
  return stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => !line.includes(root))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Markdown is kept, one heading level deeper; anything else becomes a text block. */
function shown(text) {
  return /^\|.*\|$/m.test(text) ? text.replace(/^#/gm, '##') : `\`\`\`text\n${text}\n\`\`\``;
}

/** Replaces the sections that ran and keeps the others. */
function write() {
  const page = join(root, 'docs/benchmarks.md');
  const [head = '', body = ''] = readFileSync(page, 'utf8').split(/^## Results$/m);
  const known = new Map(
    body
      .split(/^(?=### )/m)
      .filter((section) => section.startsWith('### '))
      .map((section) => [titleOf(section), section.trimEnd()]),
  );
  for (const section of results) known.set(titleOf(section), section.trimEnd());
  const intro = `## Results\n\nMeasured on ${machine}, by \`npm run bench -- --write\`.\n`;
  writeFileSync(page, `${head}${intro}\n${[...known.values()].join('\n\n')}\n`);
}

function titleOf(section) {
  return section.split('\n', 1)[0];
}
