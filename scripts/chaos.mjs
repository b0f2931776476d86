// Runs the long chaos tests (npx -c 'node scripts/chaos.mjs'): kills and partitions real stores under real receivers
// and workers, and writes the results to docs/reliability.md. `--short` runs the short form, which
// writes nothing. Further arguments are passed to Vitest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/reliability.md');
const isShort = process.argv.includes('--short');
const rest = process.argv.slice(2).filter((argument) => argument !== '--short');

if (isShort) process.exit(run({}));

const folder = mkdtempSync(join(tmpdir(), 'contentgen-chaos-'));
const file = join(folder, 'rows.jsonl');
writeFileSync(file, '');
const long = { CONTENTGEN_QUEUE_DELIVERIES: '1000' };
const status = run({ ...long, ...process.env, CHAOS_REPORT: file });
const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
rmSync(folder, { recursive: true });
if (status !== 0) {
  console.error('A guarantee was violated: docs/reliability.md is unchanged.');
  process.exit(1);
}
if (rest.some((argument) => !argument.startsWith('-'))) {
  console.log('Only some of the tests ran: docs/reliability.md is unchanged.');
  process.exit();
}
write(rows);
console.log(`${rows.length} faults: docs/reliability.md is updated.`);

function run(environment) {
  const command = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--mode',
    'all',
    '--project',
    'chaos',
    ...rest,
  ];
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env }).status ?? 1;
}

function write(all) {
  const order = ['Redis', 'PostgreSQL'];
  const rank = ({ store, fault, client }) => `${order.indexOf(store)} ${fault} ${client}`;
  const sorted = [...all].sort((a, b) => rank(a).localeCompare(rank(b), 'en', { numeric: true }));
  const lines = sorted.map(({ store, client, fault, responses, promise, slowestMs }) =>
    ['', store, client, fault, ...responses, promise, `${(slowestMs / 1000).toFixed(1)} s`, '']
      .join(' | ')
      .trim(),
  );
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split('<!-- chaos -->\n');
  const [, after] = rest.split('<!-- /chaos -->');
  const head = [
    '| store | client | fault | before the claim | in the callback | at the done mark | effects | slowest response |',
    '|---|---|---|---|---|---|---|---|',
  ];
  const table = [...head, ...lines].join('\n');
  writeFileSync(page, `${before}<!-- chaos -->\n${table}\n<!-- /chaos -->${after}`);
}
