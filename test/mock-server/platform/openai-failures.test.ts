import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAICompatible } from '../../../mock-server/index.ts';
import { freePort } from '../../support/free-port.ts';
import { contractServer, GENERATE } from '../service/helpers.ts';
import { chunk, json, type Responder, stream, upstream } from './model-server.ts';

test.each<[string, Responder, string]>([
  [
    'an error status',
    (_, __, response) => response.writeHead(401).end('sk-1 is wrong'),
    'status 401: [redacted] is wrong',
  ],
  [
    'a stream that breaks off',
    (_, __, response) => {
      stream(response).write(chunk('so far'), () => response.destroy());
    },
    'The connection to the model failed.',
  ],
  ['an empty stream', (_, __, response) => stream(response).end(), 'empty'],
  [
    'a response without text',
    (_, __, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}'),
    'without text',
  ],
  [
    'a chunk that is not JSON',
    (_, __, response) => stream(response).end('data: {oops\n\n'),
    'not valid JSON',
  ],
  [
    'an error inside the stream',
    (_, __, response) => stream(response).end('data: {"error":{"message":"sk-1"}}\n\n'),
    'The model reported an error: [redacted]',
  ],
  [
    'content that is not text',
    (_, __, response) =>
      json(response, 200, { choices: [{ message: { content: [{ url: 'x' }] } }] }),
    'content that is not text',
  ],
  [
    'an endless line',
    (_, __, response) => endless(stream(response), 'x'),
    'The model sent more than 4194304 characters.',
  ],
  [
    'an endless body',
    (_, __, response) =>
      endless(response.writeHead(200, { 'content-type': 'application/json' }), ' '),
    'The model sent more than 4194304 characters.',
  ],
  [
    'an endless error',
    (_, __, response) => endless(response.writeHead(500), 'x'),
    'The model sent more than 16384 characters.',
  ],
  [
    'more tokens than maxTokens',
    (_, __, response) =>
      stream(response).end(
        `${chunk('one two')}data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2000}}\n\n`,
      ),
    'The model generated more than the 512 tokens of maxTokens.',
  ],
])('%s fails the generation without revealing details', async (_, respond, message) => {
  const { call } = contractServer({
    generator: openAICompatible({ baseUrl: await upstream(respond) }),
  });
  const response = await call('POST', GENERATE, { prompt: 'p' });
  const problem = await response.json();
  expect(problem).toMatchObject({ status: 500, code: 'generation_failed' });
  expect(problem.detail).toContain(message);
  expect(JSON.stringify(problem)).not.toContain('sk-1');
});

describe('an endpoint that hangs is abandoned at the deadline', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test.each<[string, (response: ServerResponse) => void]>([
    ['before it responds', () => {}],
    ['after its headers', (response) => stream(response).flushHeaders()],
    ['in the middle of a stream', (response) => stream(response).write(chunk('and so on'))],
    [
      'in the middle of plain JSON',
      (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":['),
    ],
    [
      'in the middle of an error',
      (response) =>
        response.writeHead(500, { 'content-type': 'application/json' }).write('{"error":'),
    ],
  ])('%s', async (_, hang) => {
    let asked = () => {};
    let abandoned = () => {};
    const [reached, left] = [
      new Promise<void>((resolve) => {
        asked = resolve;
      }),
      new Promise<void>((resolve) => {
        abandoned = resolve;
      }),
    ];
    const baseUrl = await upstream((request, _body, response) => {
      request.socket.once('close', abandoned);
      hang(response);
      asked();
    });
    const { call, mock } = contractServer({ generator: openAICompatible({ baseUrl }) });
    let settled = false;
    const responding = call('POST', GENERATE, { prompt: 'p' }).finally(() => {
      settled = true;
    });
    await reached;
    await turns(20);
    vi.advanceTimersByTime(119_999);
    await turns(20);
    expect(settled).toBe(false);
    vi.advanceTimersByTime(1);
    const problem = await (await responding).json();
    const message = 'The model did not finish within 120000 ms.';
    expect(problem).toMatchObject({ status: 500, code: 'generation_failed', detail: message });
    expect(mock.events().at(-1)).toMatchObject({ type: 'generation.failed', data: { message } });
    expect(vi.getTimerCount()).toBe(0);
    await left;
  });

  test('a key that never comes counts too', { timeout: 5000 }, async () => {
    const generator = openAICompatible({
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: () => new Promise<string>(() => {}),
      timeout: 1000,
    });
    const { call } = contractServer({ generator });
    const responding = call('POST', GENERATE, { prompt: 'p' });
    await turns(20);
    vi.advanceTimersByTime(1000);
    const problem = await (await responding).json();
    expect(problem.detail).toBe('The model did not finish within 1000 ms.');
  });
});

/** Writes the same until the caller disconnects. */
function endless(response: ServerResponse, text: string): void {
  const piece = text.repeat(64 * 1024);
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
}

/** Lets sockets and promises proceed. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

test('the endpoint’s error message reaches the generation without keys', async () => {
  const baseUrl = await upstream((_, __, response) => {
    const message = 'Incorrect API key provided: my-own-secret, cg_test_0123456789abcdefghij.';
    json(response, 401, { error: { message } });
  });
  const generator = openAICompatible({ baseUrl, apiKey: 'my-own-secret' });
  const { call } = contractServer({ generator });
  const problem = await (await call('POST', GENERATE, { prompt: 'p' })).json();
  expect(problem.detail).toBe(
    'The model responded with status 401: Incorrect API key provided: [redacted], [redacted].',
  );
});

test('the endpoint’s error message is one printable line', async () => {
  const baseUrl = await upstream((_, __, response) => {
    json(response, 400, { error: { message: 'No\u001b[2J\u009b31m such\r\nmodel\u202e.' } });
  });
  const { call } = contractServer({ generator: openAICompatible({ baseUrl }) });
  const problem = await (await call('POST', GENERATE, { prompt: 'p' })).json();
  expect(problem.detail).toBe('The model responded with status 400: No [2J 31m such model .');
});

test('an unreachable endpoint fails the generation and says why', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
  const { call } = contractServer({ generator: openAICompatible({ baseUrl }) });
  const response = await call('POST', GENERATE, { prompt: 'p' });
  expect((await response.json()).detail).toBe('Failed to reach the model (ECONNREFUSED).');
});
