import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { start, startMock } from './command.ts';
import { invoke } from './invoke.ts';

const clientOf = (baseUrl: string, apiKey: string | null) =>
  new ContentGen({ baseUrl, apiKey: apiKey ?? '', logLevel: 'off', maxRetries: 0 });

/** The number of generations: above 0, the request has arrived. */
async function generationsOf(url: string): Promise<number> {
  const { state } = await connectMock(url).snapshot();
  return state['generations']?.length ?? 0;
}

test('without --json it prints addresses and keys, and with --public-url those that clients use; no colors off a terminal', async () => {
  const running = start(['mock', '--port', '0', '--public-url', 'https://mock.example/v2']);
  const listening = await running.line(/^ {2}Listens on +http:\/\/127\.0\.0\.1:\d+$/);
  await running.line(/^ {2}Data/);
  const printed = running.stdout();
  expect(printed).toMatch(/^ {2}API +https:\/\/mock\.example {2}/m);
  expect(printed).toMatch(/^ {2}Dashboard +https:\/\/mock\.example\/$/m);
  for (const part of ['Contract', 'Admin key', 'Member key', 'Signing secret']) {
    expect(printed).toMatch(new RegExp(`^  ${part} +\\S`, 'm'));
  }
  expect(printed).not.toContain('\u001b');
  const [url = ''] = /http:\S+/.exec(listening) ?? [];
  await fetch(`${url}/api/usage?secret=hush`);
  await running.errLine(/./);
  expect(running.stderr()).toMatch(
    /^\d\d:\d\d:\d\d {2}GET {4}\/api\/usage {2}401 missing_credentials {2}\d+ ms {2}req_\w+\n$/,
  );
});

test('a manual clock starts now, so that receivers elsewhere accept its signatures; a seed gives the same keys and texts as in process', async () => {
  const before = Date.now();
  const seeded = (await startMock(['--seed', '7', '--clock', 'manual', '--log', 'none'])).mock;
  const now = await connectMock(seeded.url).clock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
  const twin = createMockServer({ seed: 7, clock: 'manual' });
  onTestFinished(() => twin.close());
  expect(seeded.adminKey).toBe(twin.adminKey);
  const generate = async (client: ContentGen) => {
    const { requestId, result } = await client.content.generate({ prompt: 'TCP' });
    return { random: requestId.slice(-16), result };
  };
  expect(await generate(clientOf(seeded.url, seeded.memberKey))).toEqual(
    await generate(new ContentGen(twin.clientOptions)),
  );
});

test('key, models, quota, rate limit and strict HTTPS reach the server', async () => {
  const donor = createMockServer();
  onTestFinished(() => donor.close());
  const { mock } = await startMock(
    [
      ...['--models', 'mine-1, mine-2', '--quota', '77', '--rate-limit', '9/60'],
      ...['--strict-https', '--log', 'none'],
    ],
    { CONTENTGEN_ADMIN_KEY: donor.adminKey },
  );
  expect(mock.adminKey).toBe(donor.adminKey);
  const client = clientOf(mock.url, donor.adminKey);
  const { data: usage, response } = await client.usage.get().withResponse();
  expect(usage.quota).toBe(77);
  expect(response.headers.get('ratelimit-policy')).toBe('"default";q=9;w=60');
  const done = await client.content.generate({ prompt: 'x', model: 'mine-2' });
  expect(done.model).toBe('mine-2');
  await expect(
    client.webhooks.create({ event: 'data_updated', url: 'http://127.0.0.1:9/' }),
  ).rejects.toMatchObject({ status: 422 });
});

test('--json prints one line for scripts; SIGTERM lets the request in flight finish, then exits with 0; open streams and idle connections do not keep it', async () => {
  const { mock, child, ended, stdout, stderr } = await startMock(['--log', 'none']);
  expect(stdout()).toBe(`${JSON.stringify(mock)}\n`);
  expect(mock).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    dashboard: `${mock.url}/`,
    adminKey: expect.stringMatching(/^cg_test_/),
    memberKey: expect.stringMatching(/^cg_test_/),
    signingSecret: expect.stringMatching(/^whsec_/),
    organization: expect.stringMatching(/^org_/),
    pid: child.pid,
  });
  const stream = await fetch(`${mock.url}/_control/stream`);
  const idle = connect(Number(new URL(mock.url).port), '127.0.0.1');
  onTestFinished(() => void idle.destroy());
  await once(idle, 'connect');
  const client = clientOf(mock.url, mock.memberKey);
  const response = client.content.generate({ prompt: '[[delay 0.3s]] slow' });
  while ((await generationsOf(mock.url)) === 0) await new Promise(setImmediate);
  child.kill('SIGTERM');
  expect((await response).status).toBe('completed');
  expect(await stream.text()).toContain('event: hello');
  expect(await ended).toBe(0);
  expect(stderr()).toBe('');
});

/** Whether the server accepts a new connection. */
async function accepts(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test('SIGINT does the same, and a second signal ends it immediately', async () => {
  const { mock, child, ended } = await startMock();
  const client = clientOf(mock.url, mock.memberKey);
  const response = client.content.generate({ prompt: '[[delay 30s]] slow' }).safe();
  while ((await generationsOf(mock.url)) === 0) await new Promise(setImmediate);
  child.kill('SIGINT');
  // The first signal has arrived once no connection is accepted any more.
  while (await accepts(mock.url)) await new Promise(setImmediate);
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect((await response).ok).toBe(false);
});

test('with --data, everything is kept across a restart', async () => {
  const file = temporaryFile();
  const first = await startMock(['--data', file]);
  const client = clientOf(first.mock.url, first.mock.adminKey);
  const done = await client.content.generate({ prompt: 'kept' });
  const hook = await client.webhooks.create({ event: 'data_updated', url: 'https://app.example/' });
  const other = await invoke(['mock', '--port', '0', '--data', file]);
  expect(other).toMatchObject({
    code: 2,
    err: expect.stringContaining('in use by another process'),
  });
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(existsSync(`${file}-wal`)).toBe(false);

  const second = await startMock(['--data', file]);
  expect(second.mock).toMatchObject({
    adminKey: null,
    memberKey: null,
    signingSecret: first.mock.signingSecret,
    organization: first.mock.organization,
    keys: 'as before (contentgen keys create --role admin makes a new one)',
  });
  const again = clientOf(second.mock.url, first.mock.adminKey);
  expect((await again.content.get(done.requestId)).result).toBe(done.result);
  expect((await again.webhooks.get(hook.id)).url).toBe('https://app.example/');
});

test.each([
  ['not a data file', () => temporaryFile('contentgen.db', 'dear diary')],
  ['in a missing folder', () => '/none/here/contentgen.db'],
])('--data with a file that is %s prints one line and exits with 2', async (_, path) => {
  const file = path();
  const { code, out, err } = await invoke(['mock', '--port', '0', '--data', file]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err.split('\n')).toHaveLength(1);
  expect(err).toContain(file);
});
