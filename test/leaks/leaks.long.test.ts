import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { HeapGrowth } from './flat-heap.ts';

/** `CONTENTGEN_LEAKS=full` repeats each about as often as a long-running process does in a day. */
const full = process.env['CONTENTGEN_LEAKS'] === 'full';

test.each([
  { program: 'aborted-calls', count: full ? 10_000 : 1_000 },
  { program: 'verifications', count: full ? 100_000 : 10_000 },
  { program: 'deliveries', count: full ? 100_000 : 2_000 },
])(
  '$count $program leave nothing on the heap',
  { timeout: full ? 600_000 : 120_000 },
  ({ program, count }) => {
    const { grown } = run(program, count);
    // Even the short form detects 100 leaked bytes per run.
    expect(grown).toBeLessThan(Math.max(count * 50, 400_000));
  },
);

function run(program: string, count: number): HeapGrowth {
  const file = fileURLToPath(new URL(`${program}.ts`, import.meta.url));
  const output = execFileSync(process.execPath, ['--expose-gc', file, `${count}`], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return JSON.parse(output) as HeapGrowth;
}
