import { expect, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { createMockServer, type MockServer } from '../../../mock-server/index.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { start } from './command.ts';
import { invoke } from './invoke.ts';

const QUIET = ['--port', '0', '--log', 'none'];
const ADMIN_KEY = 'cg_test_0igR56x10M1njKSmuE0QDp48jU696MyIa0rYV2ctRU43Bo5Q6';
const HOOK = 'https://app.example/hooks';

const temporary = (text: string) => temporaryFile('state.json', text);

/** A mock with one registration, and the file with its snapshot. */
async function saved() {
  const mock = createMockServer({ clock: 'manual' });
  const created = await mock.fetch(`${mock.baseUrl}/api/webhooks`, {
    method: 'POST',
    headers: { 'X-API-Key': mock.adminKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ event: 'data_updated', url: HOOK }),
  });
  expect(created.status).toBe(201);
  return { mock, file: temporary(JSON.stringify(mock.snapshot())) };
}

async function webhooks(url: string, { adminKey }: Pick<MockServer, 'adminKey'>, method = 'GET') {
  const headers = { 'X-API-Key': adminKey };
  const response = await fetch(`${url}/api/webhooks`, { headers });
  const { data = [] } = (await response.json()) as { data?: { id: string; url: string }[] };
  if (method === 'GET') return data.map((row) => row.url);
  for (const { id } of data) await fetch(`${url}/api/webhooks/${id}`, { method, headers });
  return [];
}

test("a server starts with a snapshot's records, keys and time, and a reset returns to it", async () => {
  const { mock, file } = await saved();
  const server = start([
    ...['mock', '--snapshot', file, '--clock', 'manual', '--admin-key', ADMIN_KEY, '--json'],
    ...QUIET,
  ]);
  const line = JSON.parse(await server.line());
  const { organization, signingSecret } = mock;
  expect(line).toMatchObject({
    ...{ organization, signingSecret, adminKey: ADMIN_KEY, memberKey: null },
    keys: 'as before (contentgen keys create --role admin makes a new one)',
  });
  expect(await webhooks(line.url, mock)).toEqual([HOOK]);
  expect(await webhooks(line.url, { adminKey: ADMIN_KEY }, 'DELETE')).toEqual([]);
  const remote = await connectMock(line.url);
  expect(await remote.clock.now()).toBe(mock.clock.now());
  await remote.reset();
  expect(await webhooks(line.url, mock)).toEqual([HOOK]);
});

test('a data file keeps the snapshot, a later one is not used, and the server says so', async () => {
  const { mock, file } = await saved();
  const data = temporaryFile();
  const run = (snapshot: string) =>
    start(['mock', '--snapshot', snapshot, '--data', data, ...QUIET]);
  const first = run(file);
  expect(await first.line(/Snapshot/)).toContain(file);
  first.child.kill('SIGTERM');
  await first.ended;
  const other = temporary(JSON.stringify(createMockServer().snapshot()));
  const second = run(other);
  const address = await second.line(/API/);
  expect(await second.line(/Snapshot/)).toMatch(/not used: the data already exists$/);
  const [url = ''] = /http:\S+/.exec(address) ?? [];
  expect(await webhooks(url, mock)).toEqual([HOOK]);
});

test.each([
  [
    'text that is not JSON',
    () => temporary('organizations: []'),
    'is not a snapshot. Save one with',
  ],
  ['other JSON', () => temporary('{"version":1}'), 'is not a snapshot. Save one with'],
  ['no file', () => '/none/state.json', '(ENOENT). Pass --snapshot a readable JSON file.'],
])('%s is not a snapshot, and the command says what to do', async (_, path, advice) => {
  const file = path();
  const { code, err } = await invoke(['mock', '--snapshot', file, ...QUIET]);
  expect([code, err]).toEqual([2, expect.stringContaining(`${file} ${advice}`)]);
});
