import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { HeapGrowth } from './flat-heap.ts';

/** `CONTENTGEN_LEAKS=full` does each as often as a long-running process would in a day. */
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
    // A kept object of 100 bytes a run would show even in the short form.
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
