import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { start } from './command.ts';
import { invoke } from './invoke.ts';

const page = readFileSync(new URL('../../../docs/standalone.md', import.meta.url), 'utf8');
const [, documented = ''] = /```yaml\n(organizations:.*?)```/s.exec(page) ?? [];

function temporary(text: string): { file: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-seed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'seed.yaml');
  writeFileSync(file, text);
  return { file, folder };
}

const QUIET = ['--port', '0', '--log', 'none'];

test("the guide's file starts a server with its data", async () => {
  const { file } = temporary(documented);
  const server = start(['mock', '--seed-file', file, '--json', ...QUIET]);
  const { url, organization, signingSecret } = JSON.parse(await server.line());
  expect([organization, signingSecret]).toEqual(['acme', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
  const [, key = ''] = /key: (cg_test_\w+)/.exec(documented) ?? [];
  const get = async (path: string) => {
    const response = await fetch(url + path, { headers: { 'X-API-Key': key } });
    return (await response.json()) as { data: object[]; quota: number };
  };
  expect((await get('/api/ai/content/generate')).data).toMatchObject([
    { status: 'failed' },
    { result: 'Packets cross the sea', metadata: { article: '42' } },
  ]);
  expect((await get('/api/webhooks')).data).toMatchObject([{ threshold: 0.8 }]);
  expect((await get('/api/usage')).quota).toBe(50_000);
});

test('merge keys share fields, and what stands beside them wins', async () => {
  const { file } = temporary(`webhooks:
  - &paid
    event: invoice_paid
    url: http://localhost:9/a
    description: shared
  - <<: *paid
    event: data_updated
  - <<: [{ threshold: 0.5 }, *paid]
    event: usage_threshold
`);
  const server = start(['mock', '--seed-file', file, '--json', ...QUIET]);
  const { url, adminKey } = JSON.parse(await server.line());
  const response = await fetch(`${url}/api/webhooks`, { headers: { 'X-API-Key': adminKey } });
  const { data } = (await response.json()) as { data: { event: string }[] };
  expect(data.sort((a, b) => (a.event < b.event ? -1 : 1))).toMatchObject([
    { event: 'data_updated', url: 'http://localhost:9/a', description: 'shared' },
    { event: 'invoice_paid', url: 'http://localhost:9/a', description: 'shared' },
    { event: 'usage_threshold', description: 'shared', threshold: 0.5 },
  ]);
});

test('a data file keeps the data it has, and the server says so', async () => {
  const { file, folder } = temporary('organizations: [{ id: acme }]');
  const data = join(folder, 'mock.db');
  const run = (seed: string) => start(['mock', '--seed-file', seed, '--data', data, ...QUIET]);
  const first = run(file);
  await first.line(/Admin key/);
  first.child.kill('SIGTERM');
  await first.ended;
  const other = join(folder, 'other.yaml');
  writeFileSync(other, 'organizations: [{ id: globex }]');
  const second = run(other);
  expect(await second.line(/Seed file/)).toMatch(/not used: the data already exists$/);
});

test.each([
  ['an unknown field', 'organizations:\n  - id: acme\n    keys:\n      - rle: admin\n', 4],
  ['a wrong value', 'keys:\n  - name: ci\n    role: root\n', 3],
  ['a missing field', 'keys: []\nwebhooks:\n\n  - event: invoice_paid\n', 4],
  ['a value inside a list', 'keys:\n  - name: ci\n  - 7\n', 3],
  ['a merged field', 'keys:\n  - &a { name: x }\n  - <<: *a\n    role: root\n', 4],
  ['a wrong value that was merged', 'keys:\n  - &a { name: x, role: root }\n', 2],
  ['an unknown field that was merged', 'keys:\n  - name: x\n  - <<: { rle: admin }\n', 3],
  ['a syntax error', 'keys:\n  - name: "ci\n', 3],
  ['a field given twice', 'keys: []\nwebhooks: []\nkeys: []\n', 3],
  ['an empty file', '', 1],
])('%s is reported with its line', async (_, text, line) => {
  const { file } = temporary(text);
  const { code, err } = await invoke(['mock', '--seed-file', file, ...QUIET]);
  expect(code).toBe(2);
  expect(err.startsWith(`contentgen mock: ${file}:${line}: `), err).toBe(true);
});

test('a file that cannot be read, one that merges anything but maps, and one whose aliases expand too far, are reported', async () => {
  expect(await invoke(['mock', '--seed-file', '/none/seed.yaml', ...QUIET])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Failed to read /none/seed.yaml (ENOENT).'),
  });
  const merged = temporary('keys:\n  - <<: 5\n');
  expect(await invoke(['mock', '--seed-file', merged.file, ...QUIET])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Merge sources must be maps or map aliases'),
  });
  const level = (n: number) =>
    `l${n}: &l${n} [${Array(10)
      .fill(`*l${n - 1}`)
      .join(', ')}]\n`;
  const { file } = temporary(`l0: &l0 [x]\n${[1, 2, 3, 4, 5, 6].map(level).join('')}`);
  const { code, err } = await invoke(['mock', '--seed-file', file, ...QUIET]);
  expect(code).toBe(2);
  expect(err).toContain('Excessive alias count');
});
