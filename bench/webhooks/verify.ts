import { cpuCosts } from './cpu-costs.ts';
import { hostile } from './hostile.ts';
import { receivingCosts } from './receiving.ts';
import { storeRates } from './stores.ts';
import { verifiers } from './verifiers.ts';

// node --expose-gc bench/webhooks/verify.ts [--quick]: CPU time, all in turns within one run. On a busy machine the
// ratios hold, the figures do not. All get the same bytes and headers and give the parsed payload, but for
// `hmac`, the limit: createHmac with a prepared key and a comparison, nothing else. "Parsing apart" takes off
// `parse`, measured in the same run: decoding and JSON.parse of that body. A forged body is never parsed, and all
// but octokit, which answers `false`, throw an Error; beside it stands what its users' refusal costs.
const quick = process.argv.includes('--quick') ? 0.2 : 1;
const slower: string[] = [];

for (const size of [300, 4096, 65_536]) {
  for (const forged of [false, true]) {
    const candidates = await verifiers(size, forged);
    const costs = await cpuCosts(candidates, (size > 10_000 ? 200 : 4000) * quick);
    const { hmac = 0, parse = 0, contentgen = 0 } = costs;
    table(`${forged ? 'Refusing' : 'Verifying'} ${size} bytes`, costs, {
      'to createHmac': (microseconds) => microseconds / hmac,
    });
    const apart = forged ? contentgen : contentgen - parse;
    console.log(`contentgen, parsing apart: ${(apart / hmac).toFixed(2)} of createHmac`);
    for (const [peer, microseconds] of Object.entries(costs))
      if (microseconds < contentgen && !['hmac', 'parse'].includes(peer))
        slower.push(`${size} bytes ${forged ? 'forged' : 'valid'}: ${peer}`);
  }
}

console.log(`faster than contentgen: ${slower.join('; ') || 'none'}`);

const costs = await cpuCosts(await hostile(), 4000 * quick);
const { createHmac = 1, valid = 1 } = costs;
table('Hostile headers and many secrets, 300 bytes', costs, {
  'to createHmac': (microseconds) => microseconds / createHmac,
  'to valid': (microseconds) => microseconds / valid,
});

const receiving = await receivingCosts(3000 * quick);
const { 'verifyWebhook alone': alone = 1 } = receiving;
table('Receiving 300 bytes: the handler with memoryDedupe', receiving, {
  'to verifyWebhook': (microseconds) => microseconds / alone,
});

console.log('\nDedupe stores: claim and done mark, 50 deliveries at once, wall time');
console.table(await storeRates(5000 * quick));

function table(
  title: string,
  costs: Record<string, number>,
  ratios: Record<string, (microseconds: number) => number>,
): void {
  const rows = Object.entries(costs).map(([name, microseconds]) => [
    name,
    {
      'CPU µs': microseconds.toFixed(2),
      ...Object.fromEntries(
        Object.entries(ratios).map(([column, ratio]) => [column, ratio(microseconds).toFixed(2)]),
      ),
    },
  ]);
  console.log(`\n${title}`);
  console.table(Object.fromEntries(rows));
}
