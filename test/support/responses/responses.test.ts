import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { coverageTable } from './coverage-table.ts';
import { readResponses } from './read-responses.ts';
import { type TappedResponse, verdictOn } from './verdict.ts';

const requestId = 'req_01kdvdna00wnsnh3678mj9n0y7';
const shared = {
  'x-request-id': requestId,
  'api-version': '2',
  'access-control-allow-origin': '*',
};
const generation = {
  requestId: 'gen_01kdvdna00wnsnh3678mj9n0y7',
  status: 'completed',
  model: 'content-1',
  result: 'text',
  usage: { totalTokens: 2, promptTokens: 1, completionTokens: 1 },
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-01T00:00:00.000Z',
};
const got: TappedResponse = {
  id: 1,
  method: 'GET',
  path: `/api/ai/content/generate/${generation.requestId}`,
  operation: 'getGeneration',
  status: 200,
  headers: { ...shared, 'content-type': 'application/json' },
  body: JSON.stringify(generation),
  ended: true,
};
const problem = {
  type: 'https://api.contentgen.test/problems/not-found',
  title: 'Not found',
  status: 404,
  detail: 'No such generation.',
  code: 'not_found',
  requestId,
};
const rejected: TappedResponse = {
  ...got,
  status: 404,
  headers: { ...shared, 'content-type': 'application/problem+json' },
  body: JSON.stringify(problem),
};
const delta = `event: generation.delta\ndata: ${JSON.stringify({ requestId: generation.requestId, delta: 'text' })}\n\n`;
const end = `event: generation.completed\ndata: ${JSON.stringify(generation)}\n\n`;
const streamed: TappedResponse = {
  ...got,
  method: 'POST',
  path: '/api/ai/content/generate',
  operation: 'generateContent',
  headers: { ...shared, 'content-type': 'text/event-stream' },
  stream: true,
  body: `: ping\n\n${delta}${end}`,
};

const without = (headers: TappedResponse['headers'], name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));

describe('each response is checked against the contract', () => {
  test.each([
    ['a complete one', got],
    ['a rejection', rejected],
    ['a stream', streamed],
    ['a stream that was not read to its end', { ...streamed, body: delta, ended: false }],
    ['half an event before the caller left', { ...streamed, body: end.slice(0, 50), ended: false }],
    ['a HEAD', { ...got, method: 'HEAD', body: '' }],
    [
      'a preflight',
      {
        ...got,
        method: 'OPTIONS',
        operation: undefined,
        status: 204,
        headers: { ...shared, 'access-control-allow-methods': 'GET' },
        body: '',
      } as never,
    ],
  ])('%s that matches it passes', (_, response: TappedResponse) => {
    expect(verdictOn(response)).toMatchObject({ faults: [], exempt: false });
  });

  test.each<[string, TappedResponse, string]>([
    [
      'a wrong type',
      { ...got, body: JSON.stringify({ ...generation, model: 7 }) },
      'getGeneration 200 at /model: must be string',
    ],
    [
      'a wrong type inside',
      {
        ...got,
        body: JSON.stringify({ ...generation, usage: { ...generation.usage, totalTokens: 1.5 } }),
      },
      'getGeneration 200 at /usage/totalTokens: must be integer',
    ],
    ['an unknown status', { ...got, status: 418 }, 'declares no such status'],
    [
      'a missing header',
      { ...got, headers: without(got.headers, 'x-request-id') },
      'getGeneration 200: no header x-request-id',
    ],
    [
      'another content type',
      { ...got, headers: { ...got.headers, 'content-type': 'text/html' } },
      'getGeneration 200: content type text/html',
    ],
    [
      "a problem with another request's id",
      { ...rejected, body: JSON.stringify({ ...problem, requestId: 'req_other' }) },
      'getGeneration 404 at /requestId: is not the X-Request-Id',
    ],
    [
      'a problem with another status',
      { ...rejected, body: JSON.stringify({ ...problem, status: 400 }) },
      'getGeneration 404 at /status',
    ],
    [
      'an event with the wrong data',
      { ...streamed, body: delta.replace('"delta"', '"text"') + end },
      'generateContent 200 generation.delta at',
    ],
    [
      'an event under the wrong name',
      { ...streamed, body: delta + end.replace('.completed', '.failed') },
      'generateContent 200: the events are called generation.delta,generation.failed',
    ],
    [
      'an event after the end',
      { ...streamed, body: end + delta },
      'generateContent 200: something follows the end event',
    ],
    ['a stream without an end', { ...streamed, body: delta }, 'generateContent 200: no end event'],
    [
      'a 405 from the router without Allow',
      {
        ...rejected,
        operation: undefined,
        status: 405,
        body: JSON.stringify({ ...problem, status: 405 }),
      } as never,
      '405: no header Allow',
    ],
  ])('%s is reported', (_, response, fault) => {
    expect(verdictOn(response).faults).toContainEqual(expect.stringContaining(fault));
  });

  test('an armed fault excuses only what it changes', () => {
    const cut = { ...got, body: '{"requ' };
    expect(verdictOn(cut).faults).toEqual(['getGeneration 200: is no JSON']);
    expect(verdictOn({ ...cut, effects: [{ delay: 5 }] }).faults).toHaveLength(1);
    const effects = [{ delay: 5 }, { truncate: 6 }];
    expect(verdictOn({ ...cut, effects })).toMatchObject({ faults: [], exempt: true });
    expect(verdictOn({ ...got, effects })).toMatchObject({ faults: [], exempt: false });
    const headless = verdictOn({ ...cut, headers: {}, effects });
    expect(headless.faults).toContain('getGeneration 200: no header x-request-id');
  });

  test('a response is excused as injected only if it says so', () => {
    const effects = [{ status: 418 }];
    const detail = 'This response was injected by a fault.';
    const body = JSON.stringify({ ...problem, status: 418, detail });
    const teapot = { ...rejected, status: 418, effects, body };
    expect(verdictOn(teapot)).toMatchObject({ faults: [], exempt: true });
    const own = JSON.stringify({ ...problem, status: 418 });
    expect(verdictOn({ ...teapot, body: own }).faults).not.toEqual([]);
    const usual = JSON.stringify({ detail });
    const declared = { ...rejected, effects: [{ status: 404 }], body: usual };
    expect(verdictOn(declared).faults).not.toEqual([]);
  });
});

test('the table shows a hole for each declared status without a response', () => {
  const { text: table, holes } = coverageTable(new Map([['getUsage 200', 3]]));
  expect(table).toMatch(/^getUsage +3 +·/m);
  expect(holes).toContain('getUsage 401');
  expect(holes).not.toContain('getUsage 200');
});

test('the responses of a program that a test starts are kept, even if it is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-responses-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = new URL('../../../mock-server/index.ts', import.meta.url).href;
  const program = `
    import { createMockServer } from ${JSON.stringify(server)};
    const mock = createMockServer({ clock: 'manual', seed: 1 });
    const headers = { 'x-api-key': mock.adminKey, 'content-type': 'application/json' };
    await mock.fetch(mock.baseUrl + '/api/usage', { headers });
    const body = JSON.stringify({ prompt: 'p', stream: true });
    const url = mock.baseUrl + '/api/ai/content/generate';
    const stream = await mock.fetch(url, { method: 'POST', headers, body });
    await stream.body.getReader().read();
    process.kill(process.pid, 'SIGKILL');`;
  const env = { ...process.env, CONTENTGEN_RESPONSES: folder };
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env });
  await new Promise((resolve) => child.on('close', resolve));
  const responses = [...readResponses(folder)];
  expect(responses.map(({ operation }) => operation)).toEqual(['getUsage', 'generateContent']);
  expect(responses[1]).toMatchObject({
    ended: false,
    body: expect.stringMatching(/^event: generation\.delta\ndata: .*\n\n$/),
    of: expect.stringContaining('a program that a test starts'),
  });
});

test('an interrupted run leaves no files behind', async () => {
  const run = new URL('./global-setup.ts', import.meta.url).href;
  const program = `
    import { setup } from ${JSON.stringify(run)};
    setup({ vitest: { projects: [{ config: { benchmark: { enabled: false } } }] } });
    process.stdout.write(process.env.CONTENTGEN_RESPONSES);
    process.exit(130);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  const closed = new Promise((resolve) => child.on('close', resolve));
  const folder = await text(child.stdout);
  expect(await closed).toBe(130);
  expect(folder).toContain('contentgen-responses-');
  expect(existsSync(folder)).toBe(false);
});

test('a run whose tests pass fails because of one broken response and names its test', {
  timeout: 120_000,
}, async () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const config = fileURLToPath(new URL('./broken/vitest.config.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--root', root, '--config', config],
    { cwd: root, env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' } },
  );
  const closed = new Promise((resolve) => child.on('close', resolve));
  const [printed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(printed).toContain('1 passed');
  expect(printed).toContain(
    'getGeneration 200 at /model: must be string  (test/support/responses/broken',
  );
  expect(await closed).toBe(1);
});
