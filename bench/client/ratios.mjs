// What the client costs with openapi-fetch = 1, side by side in one run: the import and one call, in CPU time. The call is
// the least of many, because a busy machine only ever adds; the import is the median, because what openapi-fetch adds to a
// process is less than what two processes differ by. Needs no competitor.
// npm run build && node bench/client/ratios.mjs [--check]
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import createClient from 'openapi-fetch';
import { ContentGen } from '../../dist/index.js';

/** What neither may exceed. */
const most = { import: 4, call: 1.4 };

/** CPU ms of a process that imports a package, above those of one that imports nothing. */
function importing(rounds) {
  const packages = {
    empty: '',
    'openapi-fetch': "import 'openapi-fetch';",
    contentgen: "import 'contentgen';",
  };
  const all = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, line] of Object.entries(packages)) {
      const code = `${line}
const { user, system } = process.cpuUsage();
console.log((user + system) / 1000);`;
      const ms = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        encoding: 'utf8',
      });
      all[name] ??= [];
      all[name].push(Number(ms));
    }
  }
  const median = (name) => all[name].sort((a, b) => a - b)[Math.floor(rounds / 2)];
  const names = ['openapi-fetch', 'contentgen'];
  return Object.fromEntries(names.map((name) => [name, median(name) - median('empty')]));
}

/** CPU µs of one call over an injected fetch. */
async function calling(rounds, calls) {
  const text = JSON.stringify({
    requestId: 'gen_1',
    status: 'completed',
    model: 'content-1',
    result: 'x'.repeat(200),
    usage: { totalTokens: 5, promptTokens: 1, completionTokens: 4 },
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  const fetch = async () => new Response(text, { headers: { 'content-type': 'application/json' } });
  const baseUrl = 'https://api.example.com';
  const path = '/api/ai/content/generate';
  const body = { prompt: 'A haiku about TCP' };
  const bare = createClient({ baseUrl, fetch, headers: { 'x-api-key': 'k' } });
  const client = new ContentGen({ baseUrl, apiKey: 'k', fetch });
  const cases = {
    'openapi-fetch': () => bare.POST(path, { body }),
    contentgen: () => client.content.generate(body),
    'contentgen.http': () => client.http.POST(path, { body }),
  };
  const least = Object.fromEntries(Object.keys(cases).map((name) => [name, Infinity]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, call] of Object.entries(cases)) {
      const before = process.cpuUsage();
      for (let n = 0; n < calls; n += 1) await call();
      const { user, system } = process.cpuUsage(before);
      least[name] = Math.min(least[name], (user + system) / calls);
    }
  }
  return least;
}

const show = (what, unit, { 'openapi-fetch': base, ...figures }) => {
  console.log(`${what}: openapi-fetch ${base.toFixed(1)} ${unit}`);
  for (const [name, value] of Object.entries(figures)) {
    console.log(`${what}: ${name} ${value.toFixed(1)} ${unit}, ${(value / base).toFixed(2)} times`);
  }
  const ratio = figures.contentgen / base;
  if (process.argv.includes('--check') && ratio > most[what]) {
    process.exitCode = 1;
    console.log(`${what}: more than ${most[what]} times`);
  }
};
show('import', 'ms', importing(61));
show('call', 'µs', await calling(40, 1000));
