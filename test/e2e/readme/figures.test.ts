import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { describe, expect, test } from 'vitest';
import { planted } from '../../../examples/simulation/receivers/index.ts';
import { root } from '../../support/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md').replace(/\s+/g, ' ');
const numberOf = (text: string | undefined) => Number(text);

/** Each figure in the README comes from a benchmark or is shown by a test. */
describe('the figures of the README', () => {
  test('faults: as many as the bake-off has, and the best of the others', () => {
    const rows = [
      ...read('docs/comparison.md').matchAll(/^\| ([\w. -]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm),
    ];
    const right = (row: RegExpMatchArray) => numberOf(row[2]);
    const [ours] = rows.filter(([, name]) => name === 'contentgen');
    const others = rows.filter(([, name]) => name !== 'contentgen');
    expect(others).toHaveLength(9);
    const all = [2, 3, 4].reduce((sum, at) => sum + numberOf(ours?.[at]), 0);
    const best = Math.max(...others.map(right));
    expect(readme).toContain(`[${all} injected faults]`);
    expect(readme).toContain(
      `correctly in all ${right(ours as RegExpMatchArray)}; the best of nine others, in ${best}`,
    );
  });

  test('faults of stores: as many as the chaos matrix wrote', () => {
    const [, table = ''] =
      /<!-- chaos -->([\s\S]*?)<!-- \/chaos -->/.exec(read('docs/reliability.md')) ?? [];
    const rows = table.trim().split('\n').slice(2);
    expect(readme).toContain(`[${rows.length} faults]`);
  });

  test('operations: as many as the server routes, with and without prefix', () => {
    const { routes } = createMockServer();
    const operations = new Set(routes.map(({ operation }) => operation));
    expect(readme).toContain(`All ${operations.size} operations`);
  });

  test('ten attempts pass in one line', async () => {
    const mock = createMockServer({ clock: 'manual', seed: 1, onWarning: () => {} });
    const { baseUrl, adminKey, fetch } = mock;
    const client = new ContentGen({ baseUrl, apiKey: adminKey, fetch });
    const url = 'https://app.example/callbacks';
    mock.receivers.set(url, async () => new Response('', { status: 500 }));
    const started = mock.clock.now();
    await client.content.start({ prompt: 'x', webhookUrl: url });
    await mock.clock.advance('4 days');
    const [delivery] = mock.deliveries();
    const attempts = delivery?.attempts ?? [];
    expect(attempts).toHaveLength(10);
    expect(Math.round((Date.parse(attempts.at(-1)?.at ?? '') - started) / 86_400_000)).toBe(3);
    expect(readme).toContain('ten delivery attempts over three days');
  });

  test('planted bugs: as many as the simulation has to find', () => {
    const bugs = Object.keys(planted);
    expect(readme).toContain(`[${bugs.length} planted bugs]`);
    expect(read('test/simulate/planted-bugs.test.ts')).toContain('within 1 000 seeds');
  });

  test('messages about a secret: at least as many as its test demands', () => {
    const [, least] =
      /toBeGreaterThanOrEqual\((\d+)\)/.exec(read('test/signing/secret.test.ts')) ?? [];
    expect(readme).toContain(`each of ${least} ways to get a signing secret wrong`);
  });
});
