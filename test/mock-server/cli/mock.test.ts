import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTerminal } from '../../../mock-server/cli/terminal.ts';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { start, startMock } from './command.ts';
import { invoke } from './invoke.ts';
import { receiver } from './receiver.ts';

function dataFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'contentgen.db');
}

const clientOf = (baseUrl: string, apiKey: string | null) =>
  new ContentGen({ baseUrl, apiKey: apiKey ?? '', logLevel: 'off', maxRetries: 0 });

test('--json prints one line for scripts, and its keys work', async () => {
  const running = await startMock();
  const { mock } = running;
  expect(running.stdout()).toBe(`${JSON.stringify(mock)}\n`);
  expect(mock).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    dashboard: `${mock.url}/`,
    adminKey: expect.stringMatching(/^cg_test_/),
    memberKey: expect.stringMatching(/^cg_test_/),
    signingSecret: expect.stringMatching(/^whsec_/),
    organization: expect.stringMatching(/^org_/),
    pid: running.child.pid,
  });
  await clientOf(mock.url, mock.memberKey).usage.get();
  const secret = await clientOf(mock.url, mock.adminKey).webhooks.getSigningSecret();
  expect(secret.secret).toBe(mock.signingSecret);
});

test('without --json it prints addresses and keys, without colors off a terminal', async () => {
  const running = start(['mock', '--port', '0']);
  await running.line(/^ {2}Data/);
  const printed = running.stdout();
  expect(printed).toMatch(/API +http:\/\/127\.0\.0\.1:\d+/);
  for (const part of [
    'Dashboard',
    'Contract',
    'Admin key',
    'Member key',
    'In a browser',
    'Signing secret',
  ]) {
    expect(printed).toMatch(new RegExp(`^  ${part} +\\S`, 'm'));
  }
  expect(printed).not.toContain('\u001b');

  const [url = ''] = /http:\/\/127[.:\d]+/.exec(printed) ?? [];
  await fetch(`${url}/api/usage?secret=hush`);
  while (!running.stderr())
    await new Promise((resolve) => running.child.stderr?.once('data', resolve));
  expect(running.stderr()).toMatch(
    /^\d\d:\d\d:\d\d {2}GET {4}\/api\/usage {2}401 missing_credentials {2}\d+ ms {2}req_\w+\n$/,
  );
});

test('with --public-url it prints the addresses that clients use, and where it listens', async () => {
  const running = start(['mock', '--port', '0', '--public-url', 'https://mock.example/v2']);
  await running.line(/^ {2}Data/);
  const printed = running.stdout();
  expect(printed).toMatch(/^ {2}API +https:\/\/mock\.example {2}/m);
  expect(printed).toMatch(/^ {2}Dashboard +https:\/\/mock\.example\/$/m);
  expect(printed).toMatch(/^ {2}Listens on +http:\/\/127\.0\.0\.1:\d+$/m);
});

test.each<[string, boolean, Record<string, string>, boolean]>([
  ['a terminal', true, {}, true],
  ['a pipe', false, {}, false],
  ['a terminal under NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['a dumb terminal', true, { TERM: 'dumb' }, false],
  ['a pipe under FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
  ['a terminal under FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
  ['FORCE_COLOR and NO_COLOR', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('colors on %s: %s %j → %s', (_, isTTY, env, colored) => {
  const stream = { isTTY, write: () => {} };
  const { paint, paintErr } = createTerminal({ stdout: stream, stderr: stream }, env);
  for (const text of [paint('red', 'x'), paintErr('red', 'x')]) {
    expect(text.includes('\u001b')).toBe(colored);
  }
});

test('a manual clock starts now, so that receivers elsewhere accept its signatures', async () => {
  const before = Date.now();
  const { mock } = await startMock(['--clock', 'manual', '--log', 'none']);
  const now = await connectMock(mock.url).clock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

test('--processing-time says how long a synchronous generation takes', async () => {
  const { mock } = await startMock(['--processing-time', '0-1', '--log', 'none']);
  const done = await clientOf(mock.url, mock.memberKey).content.generate({ prompt: 'TCP' });
  const took = Date.parse(String(done.completedAt)) - Date.parse(String(done.createdAt));
  expect(took).toBeLessThan(250);
});

test('a seed gives the same keys and texts as in process', async () => {
  const start = '2026-03-01T00:00:00Z';
  const { mock } = await startMock([
    ...['--seed', '7', '--clock', 'manual', '--start', start, '--log', 'none'],
  ]);
  const twin = createMockServer({ seed: 7, clock: 'manual', start });
  onTestFinished(() => twin.close());
  expect(mock.adminKey).toBe(twin.adminKey);
  const generate = async (client: ContentGen) => {
    const { requestId, result } = await client.content.generate({ prompt: 'TCP' });
    return { requestId, result };
  };
  const { baseUrl, memberKey: apiKey, fetch } = twin;
  expect(await generate(clientOf(mock.url, mock.memberKey))).toEqual(
    await generate(new ContentGen({ baseUrl, apiKey, fetch })),
  );
});

test('key, models, quota, rate limit and strict HTTPS reach the server', async () => {
  const donor = createMockServer();
  onTestFinished(() => donor.close());
  const { mock } = await startMock(
    [...['--models', 'mine-1, mine-2', '--quota', '77', '--rate-limit', '9/60'], '--strict-https'],
    { CONTENTGEN_ADMIN_KEY: donor.adminKey },
  );
  expect(mock.adminKey).toBe(donor.adminKey);
  const client = clientOf(mock.url, donor.adminKey);
  const { data: usage, response } = await client.usage.get().withResponse();
  expect(usage.quota).toBe(77);
  expect(response.headers.get('ratelimit-policy')).toBe('"default";q=9;w=60');
  expect((await client.content.generate({ prompt: 'x', model: 'mine-2' })).model).toBe('mine-2');
  await expect(
    client.webhooks.create({ event: 'data_updated', url: 'http://127.0.0.1:9/' }),
  ).rejects.toMatchObject({ status: 422 });
});

test('a log line per request and per delivery, without keys, prompts or bodies', async () => {
  const hooks = await receiver();
  const running = await startMock(['--log', 'json']);
  const { mock } = running;
  const client = clientOf(mock.url, mock.adminKey);
  const prompt = 'the sea in winter';
  const job = await client.content.generate({ prompt, webhookUrl: `${hooks.url}?token=hush` });
  await hooks.until(() => hooks.got.length === 1);
  const lines = () => running.stderr().split('\n').filter(Boolean);
  while (lines().length < 2)
    await new Promise((resolve) => running.child.stderr?.once('data', resolve));
  const [request, delivery] = lines().map((line) => JSON.parse(line));
  expect(request).toMatchObject({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    event: 'request',
    method: 'POST',
    path: '/api/ai/content/generate',
    operation: 'generateContent',
    status: 202,
    requestId: expect.stringMatching(/^req_/),
  });
  expect(delivery).toMatchObject({ attempt: 1, status: 200, url: hooks.url });
  for (const secret of [mock.adminKey, mock.signingSecret, prompt, 'hush', job.requestId]) {
    expect(running.stderr()).not.toContain(String(secret));
  }
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s lets the request in flight finish, then exits with 0',
  async (signal) => {
    const { mock, child, ended, stderr } = await startMock(['--log', 'none']);
    const client = clientOf(mock.url, mock.memberKey);
    const response = client.content.generate({ prompt: '[[delay 1s]] slow' });
    while ((await generationsOf(mock.url)) === 0) await new Promise(setImmediate);
    child.kill(signal);
    expect((await response).status).toBe('completed');
    expect(await ended).toBe(0);
    expect(stderr()).toBe('');
  },
);

test('the log says why a generation failed', async () => {
  const running = await startMock(['--log', 'text', '--processing-time', '0']);
  const { url, memberKey } = running.mock;
  const prompt = 'hush [[fail: out of paper]]';
  const generated = clientOf(url, memberKey).content.generate({ prompt });
  await expect(generated).rejects.toMatchObject({ code: 'generation_failed' });
  const line = await running.errLine(/generation failed/);
  expect(line).toMatch(/generation failed: out of paper {2}gen_\w+$/);
  expect(running.stderr()).not.toContain('hush');
});

test('a caller cannot forge lines of the log or send escape sequences to its terminal', async () => {
  const running = await startMock(['--log', 'text', '--processing-time', '0']);
  const { url, memberKey } = running.mock;
  const prompt = '[[fail: red\u001b[31m\n12:00:00  GET    /forged  200\u202e]]';
  await expect(clientOf(url, memberKey).content.generate({ prompt })).rejects.toThrow();
  const line = await running.errLine(/generation failed/);
  expect(line).toMatch(
    /generation failed: red \[31m 12:00:00 {2}GET {4}\/forged {2}200 {3}gen_\w+$/,
  );
});

/** The number of generations: above 0, the request has arrived. */
async function generationsOf(url: string): Promise<number> {
  const { state } = await connectMock(url).snapshot();
  return state['generations']?.length ?? 0;
}

test('open event streams and idle connections do not keep it from exiting', async () => {
  const { mock, child, ended } = await startMock();
  const stream = await fetch(`${mock.url}/_control/stream`);
  const idle = connect(Number(new URL(mock.url).port), '127.0.0.1');
  onTestFinished(() => void idle.destroy());
  await new Promise((resolve) => idle.once('connect', resolve));
  child.kill('SIGTERM');
  expect(await stream.text()).toContain('event: hello');
  expect(await ended).toBe(0);
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

test('a second signal ends it immediately', async () => {
  const { mock, child, ended } = await startMock();
  const client = clientOf(mock.url, mock.memberKey);
  const response = client.content.generate({ prompt: '[[delay 30s]] slow' }).safe();
  while ((await generationsOf(mock.url)) === 0) await new Promise(setImmediate);
  child.kill('SIGTERM');
  // The first signal has arrived once no connection is accepted any more.
  while (await accepts(mock.url)) await new Promise(setImmediate);
  child.kill('SIGTERM');
  expect(await ended).toBe(130);
  expect((await response).ok).toBe(false);
});

test('with --data, everything is kept across a restart', async () => {
  const file = dataFile();
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
    keys: 'as printed at first start (contentgen keys create --admin makes a new one)',
  });
  const again = clientOf(second.mock.url, first.mock.adminKey);
  expect((await again.content.get(done.requestId)).result).toBe(done.result);
  expect((await again.webhooks.get(hook.id)).url).toBe('https://app.example/');
});

test.each([
  ['not a data file', (file: string) => writeFileSync(file, 'dear diary')],
  ['in a missing folder', () => {}],
])('--data with a file that is %s prints one line and exits with 2', async (_, prepare) => {
  const file = prepare.length > 0 ? dataFile() : '/none/here/contentgen.db';
  prepare(file);
  const { code, out, err } = await invoke(['mock', '--port', '0', '--data', file]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err.split('\n')).toHaveLength(1);
  expect(err).toContain(file);
});
