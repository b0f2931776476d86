import { claims } from './claims.mjs';
import { entries } from './entries.mjs';
import { report } from './report.mjs';
import { onMsw, overSockets } from './sockets.mjs';

// On Node, Bun and Deno: prints the result as its last line. `--without-msw` where MSW does not run.
const withMsw = !process.argv.includes('--without-msw');
const loads = Object.entries(entries)
  .filter(([name]) => withMsw || !/mock\/(msw|node)$/.test(name))
  .map(([name, load]) => [`${name} loads`, load]);

const all = { ...Object.fromEntries(loads), ...claims, ...overSockets, ...(withMsw && onMsw) };
void report(all, 'programs').then((result) => {
  console.log(JSON.stringify(result));
  process.exit();
});
