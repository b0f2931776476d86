import { cpuCosts } from './cpu-costs.ts';
import { hostile } from './hostile.ts';
import { verifiers } from './verifiers.ts';

// node bench/webhooks/verify.ts [--quick]: CPU time, all in turns within one run. On a busy machine the
// ratios hold, the figures do not.
const quick = process.argv.includes('--quick') ? 0.2 : 1;
const slower: string[] = [];

for (const size of [300, 4096, 65_536]) {
  for (const forged of [false, true]) {
    const candidates = await verifiers(size, forged);
    const costs = await cpuCosts(candidates, (size > 10_000 ? 200 : 3000) * quick);
    const { hmac = 0, parse = 0, contentgen = 0 } = costs;
    console.log(`\n${forged ? 'Refusing' : 'Verifying'} ${size} bytes`);
    const rows = Object.entries(costs).map(([name, microseconds]) => [
      name,
      { 'CPU µs': microseconds.toFixed(2), 'to createHmac': (microseconds / hmac).toFixed(2) },
    ]);
    console.table(Object.fromEntries(rows));
    const apart = forged ? contentgen : contentgen - parse;
    console.log(`contentgen, parsing apart: ${(apart / hmac).toFixed(2)} of createHmac`);
    for (const [peer, microseconds] of Object.entries(costs))
      if (microseconds < contentgen && !['hmac', 'parse'].includes(peer))
        slower.push(`${size} bytes ${forged ? 'forged' : 'valid'}: ${peer}`);
  }
}

const costs = await cpuCosts(await hostile(), 1500 * quick);
console.log('\nHostile headers and many secrets, 300 bytes');
const rows = Object.entries(costs).map(([name, microseconds]) => [
  name,
  {
    'CPU µs': microseconds.toFixed(2),
    'to valid': (microseconds / (costs['valid'] ?? 1)).toFixed(2),
  },
]);
console.table(Object.fromEntries(rows));
console.log(`faster than contentgen: ${slower.join('; ') || 'none'}`);
