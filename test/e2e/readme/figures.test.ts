import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockServer } from 'contentgen/mock';
import { describe, expect, test } from 'vitest';
import { planted } from '../../../examples/simulation/receivers/index.ts';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { retryDelays } from '../../../mock-server/domain/delivery/retry-schedule.ts';
import { root } from '../../support/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md').replace(/\s+/g, ' ');

/** The tests named in docs/claims.md. */
describe('the figures of the README', () => {
  test('each claim names tests and scripts that exist', () => {
    const named = [
      ...read('docs/claims.md').matchAll(/(?:test|scripts|bench)\/[\w./-]+\.(?:ts|mjs)/g),
    ];
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(([path]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('the README fits on 130 lines, and says what it is in 60 words; its three readers find six lines of code each', () => {
    const text = read('README.md');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(130);
    const [first = ''] = text.split('```', 1);
    expect(first.match(/\S+/g)?.length).toBeLessThanOrEqual(60);
    const [screen = ''] = text.split('## First call', 1);
    const blocks = [...screen.matchAll(/```ts run\n([\s\S]*?)```/g)].map(([, code = '']) => code);
    expect(blocks).toHaveLength(3);
    expect(blocks.map((code) => code.match(/.+\n/g)?.length)).toEqual([5, 5, 6]);
  });

  test('faults of stores: as many as the chaos matrix wrote', () => {
    const [, table = ''] =
      /<!-- chaos -->([\s\S]*?)<!-- \/chaos -->/.exec(read('docs/reliability.md')) ?? [];
    const rows = table.trim().split('\n').slice(2);
    expect(readme).toContain(`[what ${rows.length} faults did]`);
  });

  test('operations: as many as the server routes, with and without prefix', () => {
    const { routes } = internalsOf(createMockServer());
    const operations = new Set(routes.map(({ operation }) => operation));
    expect(readme).toContain(`all ${operations.size} operations`);
  });

  test('ten attempts over three days', () => {
    const days = retryDelays.reduce((sum, delay) => sum + delay) / 86_400_000;
    expect([retryDelays.length + 1, Math.round(days)]).toEqual([10, 3]);
    expect(readme).toContain('up to ten times over three days');
  });

  test('planted bugs: as many as the simulation has to find', () => {
    const bugs = Object.keys(planted);
    expect(read('docs/claims.md')).toContain(`finds ${bugs.length} planted bugs`);
    expect(read('test/simulate/planted-bugs.test.ts')).toContain('within 1 000 seeds');
  });
});
