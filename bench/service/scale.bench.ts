import { expect, test } from 'vitest';
import { caller, fullServer } from './full-server.ts';

const GENERATE = '/api/ai/content/generate';
const empty = caller(fullServer(1, 0));
const full = caller(fullServer(100_000, 10_000));
const first = `${GENERATE}/gen_01kd${'0'.repeat(22)}`;
const middle = `${GENERATE}/gen_01kd${'50000'.padStart(22, '0')}`;
const time = { time: 500 };

// The full server should be as fast as the empty one: lookups use indexes, pages use cursors.
const calls: [string, string, string, string, string?][] = [
  ['authenticate and get', 'GET', first, middle],
  ['list the first page, one per page', 'GET', `${GENERATE}?limit=1`, `${GENERATE}?limit=1`],
  [
    'list failed generations',
    'GET',
    `${GENERATE}?status=failed&limit=1`,
    `${GENERATE}?status=failed&limit=1`,
  ],
  ['generate', 'POST', GENERATE, GENERATE, '{"prompt":"[[say: hi]]"}'],
];

for (const [name, method, onEmpty, onFull, body] of calls) {
  test(name, async ({ bench }) => {
    expect(await full(method, onFull, body)).toContain('{');
    await bench.compare(
      bench('empty server', async () => {
        await empty(method, onEmpty, body);
      }),
      bench('100 000 generations, 10 000 keys', async () => {
        await full(method, onFull, body);
      }),
      time,
    );
  });
}
