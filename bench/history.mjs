import { readFileSync, writeFileSync } from 'node:fs';

// The ratios in docs/benchmarks.md, release by release: `node bench/history.mjs add` writes those of the page into
// bench/history.json, as a line for the version in package.json. Without `add`, it prints each ratio on the page that is
// worse by a fifth than at the last release. It runs no benchmark.
const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The rows of the page; each number is a cost, so that more is worse. */
const rows = {
  'verify 300 B / createHmac': /│ contentgen +│ '([\d.]+)'/,
  'reject 300 B / createHmac': /│ contentgen +│ '[\d.]+' +│ '([\d.]+)'/,
  'verify 64 KiB / createHmac': /│ contentgen +│(?: '[\d.]+' +│){4} '([\d.]+)'/,
  'handler / verifyWebhook': /│ handler, new deliveries +│ '[\d.]+' +│ '([\d.]+)'/,
  'redisDedupe / SET NX, CPU': /│ redisDedupe.+'([\d.]+) ×' +│$/m,
  'postgresDedupe / INSERT, CPU': /│ postgresDedupe.+'([\d.]+) ×' +│$/m,
  'GET / node:http': /│ 'contentgen' +│ \d+ +│ ([\d.]+)/,
  'POST / node:http': /│ 'contentgen' +│ \d+ +│ [\d.]+ +│ \d+ +│ ([\d.]+)/,
  'POST with --data / node:http': /│ 'contentgen --data' +│ \d+ +│ [\d.]+ +│ \d+ +│ ([\d.]+)/,
  'list 500 000 generations / few': /^\| 500 000 generations: list \|.+\| ([\d.]+) \|$/m,
};

const path = 'bench/history.json';
const history = JSON.parse(read(path));
const page = read('docs/benchmarks.md');
const now = Object.fromEntries(
  Object.entries(rows).map(([name, pattern]) => {
    const [, figure] = pattern.exec(page) ?? [];
    if (figure === undefined) throw new Error(`docs/benchmarks.md has no figure for "${name}".`);
    return [name, Number(figure)];
  }),
);

if (process.argv[2] === 'add') {
  const { version } = JSON.parse(read('package.json'));
  const lines = [...history.filter((release) => release.version !== version), { version, ...now }];
  writeFileSync(new URL(`../${path}`, import.meta.url), `${JSON.stringify(lines, null, 2)}\n`);
} else {
  const { version, ...before } = history.at(-1) ?? {};
  for (const [name, figure] of Object.entries(now)) {
    if (figure / before[name] > 1.2)
      console.log(`${name}: ${figure}, and ${before[name]} in ${version}`);
  }
}
