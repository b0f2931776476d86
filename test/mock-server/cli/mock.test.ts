import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTerminal } from '../../../mock-server/cli/terminal.ts';
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

test('--json prints one line that a script needs, and the keys in it work', async () => {
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

test('without --json it tells people what they need, plain where there is no terminal', async () => {
  const running = start(['mock', '--port', '0']);
  await running.line(/^ {2}Data/);
  const told = running.stdout();
  expect(told).toMatch(/API +http:\/\/127\.0\.0\.1:\d+/);
  for (const part of ['Dashboard', 'Reference', 'Admin key', 'Member key', 'Signing secret']) {
    expect(told).toMatch(new RegExp(`^  ${part} +\\S`, 'm'));
  }
  expect(told).not.toContain('\u001b');

  const [url = ''] = /http:\/\/127[.:\d]+/.exec(told) ?? [];
  await fetch(`${url}/api/usage?secret=hush`);
  while (!running.stderr())
    await new Promise((resolve) => running.child.stderr?.once('data', resolve));
  expect(running.stderr()).toMatch(
    /^\d\d:\d\d:\d\d {2}GET {4}\/api\/usage {2}401 missing_credentials {2}\d+ ms {2}req_\w+\n$/,
  );
});

test.each<[string, boolean, Record<string, string>, boolean]>([
  ['a terminal', true, {}, true],
  ['a pipe', false, {}, false],
  ['a terminal under NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['a dumb terminal', true, { TERM: 'dumb' }, false],
  ['a pipe under FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
  ['a terminal under FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
  ['FORCE_COLOR and NO_COLOR', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('colours on %s: %s %j → %s', (_, isTTY, env, coloured) => {
  const stream = { isTTY, write: () => {} };
  const { paint, paintErr } = createTerminal({ stdout: stream, stderr: stream }, env);
  for (const text of [paint('red', 'x'), paintErr('red', 'x')]) {
    expect(text.includes('\u001b')).toBe(coloured);
  }
});

test('the seed decides keys and texts, here and in process', async () => {
  const { mock } = await startMock(['--seed', '7', '--clock', 'manual', '--log', 'none']);
  const twin = createMockServer({ seed: 7, clock: 'manual' });
  onTestFinished(() => twin.close());
  expect(mock.adminKey).toBe(twin.adminKey);
  const told = async (client: ContentGen) => {
    const { requestId, result } = await client.content.generate({ prompt: 'TCP' });
    return { requestId, result };
  };
  const { baseUrl, memberKey: apiKey, fetch } = twin;
  expect(await told(clientOf(mock.url, mock.memberKey))).toEqual(
    await told(new ContentGen({ baseUrl, apiKey, fetch })),
  );
});

test('options reach the server: key, models, quota, rate limit, strict https', async () => {
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
  '%s lets the request in flight finish, then ends with 0',
  async (signal) => {
    const { mock, child, ended, stderr } = await startMock(['--log', 'none']);
    const client = clientOf(mock.url, mock.memberKey);
    const answer = client.content.generate({ prompt: '[[delay 1s]] slow' });
    while ((await requestsOf(mock.url)) === 0) await new Promise(setImmediate);
    child.kill(signal);
    expect((await answer).status).toBe('completed');
    expect(await ended).toBe(0);
    expect(stderr()).toBe('');
  },
);

/** Open generations: the request has arrived. */
async function requestsOf(url: string): Promise<number> {
  const response = await fetch(`${url}/_control/state`);
  const { state } = (await response.json()) as { state: { generations: unknown[] } };
  return state.generations.length;
}

test('open event streams and idle connections do not keep it from ending', async () => {
  const { mock, child, ended } = await startMock();
  const stream = await fetch(`${mock.url}/_control/events/stream`);
  const idle = connect(Number(new URL(mock.url).port), '127.0.0.1');
  onTestFinished(() => void idle.destroy());
  await new Promise((resolve) => idle.once('connect', resolve));
  child.kill('SIGTERM');
  expect(await stream.text()).toContain('event: hello');
  expect(await ended).toBe(0);
});

/** Whether a new connection is taken. */
async function connects(url: string): Promise<boolean> {
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

test('a second signal ends it at once', async () => {
  const { mock, child, ended } = await startMock();
  const client = clientOf(mock.url, mock.memberKey);
  const answer = client.content.generate({ prompt: '[[delay 30s]] slow' }).safe();
  while ((await requestsOf(mock.url)) === 0) await new Promise(setImmediate);
  child.kill('SIGTERM');
  // The first is known to have come when no connection is taken any more.
  while (await connects(mock.url)) await new Promise(setImmediate);
  child.kill('SIGTERM');
  expect(await ended).toBe(130);
  expect((await answer).ok).toBe(false);
});

test('with --data, what was made is there after a stop and a start', async () => {
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
  ['no data file', (file: string) => writeFileSync(file, 'dear diary')],
  ['in a folder that is not there', () => {}],
])('--data with a file that is %s is one line and exit 2', async (_, prepare) => {
  const file = prepare.length > 0 ? dataFile() : '/none/here/contentgen.db';
  prepare(file);
  const { code, out, err } = await invoke(['mock', '--port', '0', '--data', file]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err.split('\n')).toHaveLength(1);
  expect(err).toContain(file);
});
