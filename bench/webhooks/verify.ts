import { inTurns, quantile } from '../turns.ts';
import { receivingCosts } from './receiving.ts';
import { storeRates } from './stores.ts';
import { verifiers } from './verifiers.ts';

// node --expose-gc bench/webhooks/verify.ts [--quick]: CPU time; all candidates take turns within one run. On a busy
// machine the ratios are stable but the figures are not. All get the same bytes and headers and return the parsed
// payload, except `hmac`, the lower bound: only createHmac with a prepared key and a comparison. "Without parsing"
// subtracts `parse` (decoding and JSON.parse of that body), measured in the same run. A forged body is never parsed. All
// throw an Error for it except octokit, which returns `false`; a second row includes the error that its users throw.
const quick = process.argv.includes('--quick') ? 0.2 : 1;
const slower: string[] = [];

const ratios: Record<string, Record<string, string>> = {};

for (const size of [300, 4096, 65_536]) {
  for (const forged of [false, true]) {
    const column = `${size} B${forged ? ', forged' : ''}`;
    const candidates = await verifiers(size, forged);
    const calls = (size > 10_000 ? 200 : 4000) * quick;
    const all = await inTurns(candidates, { rounds: 20, calls, warmUp: 20 });
    // The lowest decile: other load on the machine can slow a whole round by half, but never speeds one up.
    const costs: Record<string, number> = {};
    for (const [name, values] of Object.entries(all)) costs[name] = quantile(values, 0.1);
    const { hmac = 0, parse = 0, contentgen = 0 } = costs;
    const withoutParsing = forged ? contentgen : contentgen - parse;
    const figures = { ...costs, 'contentgen without parsing': withoutParsing };
    for (const [name, microseconds] of Object.entries(figures)) {
      ratios[name] = { ...ratios[name], [column]: (microseconds / hmac).toFixed(2) };
      if (
        microseconds < contentgen &&
        !['hmac', 'parse', 'contentgen without parsing'].includes(name)
      )
        slower.push(`${column}: ${name}`);
    }
  }
}

console.log('\nVerifying a body and rejecting a forged one: CPU time, createHmac = 1');
console.table(ratios);
console.log(`faster than contentgen: ${slower.join('; ') || 'none'}`);

const receiving = await receivingCosts(3000 * quick);
const { 'verifyWebhook only': verification = 1 } = receiving;
const rows = Object.entries(receiving).map(([name, microseconds]) => [
  name,
  {
    'CPU µs': microseconds.toFixed(2),
    'vs verifyWebhook': (microseconds / verification).toFixed(2),
  },
]);
console.log('\nReceiving 300 bytes: the handler with memoryDedupe');
console.table(Object.fromEntries(rows));

console.log('\nDedupe stores: claim and complete, 32 deliveries at once, wall time');
console.table(await storeRates(5000 * quick));
