import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAICompatible } from '../../../mock-server/index.ts';
import { freePort } from '../../support/free-port.ts';
import { contractServer, GENERATE } from '../service/helpers.ts';

type Responder = (request: IncomingMessage, body: string, response: ServerResponse) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A model server on a real socket. */
async function upstream(respond: Responder): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    request.on('end', () => respond(request, body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const chunk = (content: string | null) =>
  `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const stream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

test('streams from the endpoint, with the prompt and its parameters', async () => {
  const seen: unknown[] = [];
  const baseUrl = await upstream((request, body, response) => {
    seen.push([request.url, request.headers.authorization, JSON.parse(body)]);
    stream(response);
    response.write(': a comment\n\n');
    const text = chunk('Hel') + chunk(null) + chunk('lö ✓');
    const bytes = Buffer.from(text);
    const cut = bytes.indexOf(0xc3) + 1;
    response.write(bytes.subarray(0, cut));
    setImmediate(() =>
      response.end(Buffer.concat([bytes.subarray(cut), Buffer.from('data: [DONE]\n\n')])),
    );
  });
  const generator = openAICompatible({
    baseUrl: `${baseUrl}/`,
    model: 'llama',
    apiKey: () => 'sk-1',
  });
  const { ok } = contractServer({ generator });
  const input = { prompt: 'Greet me', temperature: 0.5, seed: 3, maxTokens: 50 };
  expect(await ok('POST', GENERATE, input)).toMatchObject({
    result: 'Hellö ✓',
    model: 'content-1',
  });
  expect(seen).toEqual([
    [
      '/v1/chat/completions',
      'Bearer sk-1',
      {
        model: 'llama',
        messages: [{ role: 'user', content: 'Greet me' }],
        max_completion_tokens: 50,
        temperature: 0.5,
        seed: 3,
        stream: true,
        stream_options: { include_usage: true },
      },
    ],
  ]);
});

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

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** An endpoint that rejects these parameters, one error at a time, and what it was sent. */
async function endpointRejecting(...refused: string[]) {
  const sent: string[][] = [];
  const baseUrl = await upstream((_, body, response) => {
    const names = Object.keys(JSON.parse(body));
    sent.push(names.filter((name) => !['model', 'messages', 'stream'].includes(name)));
    const param = refused.find((name) => names.includes(name));
    if (param === undefined) return stream(response).end(`${chunk('fine')}data: [DONE]\n\n`);
    const message = `Unsupported parameter: '${param}' is not supported with this model.`;
    return json(response, 400, { error: { message, param, code: 'unsupported_parameter' } });
  });
  return { sent, baseUrl };
}

test('a parameter that the endpoint rejects is from then on sent under its older name or omitted', async () => {
  const { sent, baseUrl } = await endpointRejecting(
    'max_completion_tokens',
    'stream_options',
    'temperature',
  );
  const { ok } = contractServer({ generator: openAICompatible({ baseUrl }) });
  const input = { prompt: 'p', temperature: 0.5, seed: 1 };
  expect(await ok('POST', GENERATE, input)).toMatchObject({ result: 'fine' });
  expect(sent.at(-1)).toEqual(['max_tokens', 'seed']);
  const before = sent.length;
  await ok('POST', GENERATE, input);
  expect(sent.length).toBe(before + 1);
});

test('a parameter that an error only mentions in its text counts too', async () => {
  const seen: string[] = [];
  const baseUrl = await upstream((_, body, response) => {
    seen.push(body);
    if (!body.includes('max_completion_tokens')) return stream(response).end(chunk('old'));
    return json(response, 422, { detail: [{ loc: ['body', 'max_completion_tokens'] }] });
  });
  const { ok } = contractServer({ generator: openAICompatible({ baseUrl }) });
  expect(await ok('POST', GENERATE, { prompt: 'p' })).toMatchObject({ result: 'old' });
  expect(JSON.parse(seen[1] ?? '')).toMatchObject({ max_tokens: 512 });
});

test('an endpoint that rejects the older name too fails the generation', async () => {
  const { baseUrl, sent } = await endpointRejecting('max_completion_tokens', 'max_tokens');
  const { call } = contractServer({ generator: openAICompatible({ baseUrl }) });
  const problem = await (await call('POST', GENERATE, { prompt: 'p' })).json();
  expect(problem.detail).toContain("status 400: Unsupported parameter: 'max_tokens'");
  expect(sent).toHaveLength(2);
});

test.each<[string, Responder]>([
  [
    'a stream',
    (_, __, response) => {
      const usage = { prompt_tokens: 7, completion_tokens: 11, total_tokens: 18 };
      const last = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
      stream(response).end(`${chunk('Hello')}${last}data: [DONE]\n\n`);
    },
  ],
  [
    'plain JSON',
    (_, __, response) => {
      json(response, 200, {
        choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 7, completion_tokens: 11, total_tokens: 18 },
      });
    },
  ],
])('the usage that %s reports is the usage of the generation', async (_, respond) => {
  const { ok } = contractServer({
    generator: openAICompatible({ baseUrl: await upstream(respond) }),
  });
  expect(await ok('POST', GENERATE, { prompt: 'p' })).toMatchObject({
    result: 'Hello',
    usage: { promptTokens: 7, completionTokens: 11, totalTokens: 18 },
  });
  expect(await ok('GET', '/api/usage')).toMatchObject({ used: 18 });
});

test.each([false, true])(
  'the endpoint counts up to maxTokens, so its text is never cut at the estimate (stream: %s)',
  async (streamed) => {
    const words = Array.from(
      { length: 12 },
      (_, number) => `antidisestablishmentarianism${number} `,
    );
    const baseUrl = await upstream((_, __, response) => {
      const usage = { prompt_tokens: 1, completion_tokens: 12, total_tokens: 13 };
      const last = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
      stream(response).end(`${words.map(chunk).join('')}${last}data: [DONE]\n\n`);
    });
    const { call } = contractServer({ generator: openAICompatible({ baseUrl }) });
    const body = { prompt: 'p', maxTokens: 12, stream: streamed };
    const text = await (await call('POST', GENERATE, body)).text();
    expect(text).toContain(words.at(-1)?.trim());
    expect(text).toContain('"completionTokens":12');
  },
);

test('a stream that ends without [DONE] is complete', async () => {
  const baseUrl = await upstream((_, __, response) => stream(response).end(chunk('all of it')));
  const { ok } = contractServer({ generator: openAICompatible({ baseUrl }) });
  expect(await ok('POST', GENERATE, { prompt: 'p' })).toMatchObject({ result: 'all of it' });
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

test('closing the stream disconnects from the endpoint', async () => {
  let hungUp: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    hungUp = resolve;
  });
  const baseUrl = await upstream((request, _, response) => {
    request.socket.on('close', hungUp);
    stream(response).write(chunk('begun'));
  });
  const { mock } = contractServer({ generator: openAICompatible({ baseUrl }) });
  const response = await mock.fetch(mock.baseUrl + GENERATE, {
    method: 'POST',
    headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'p', stream: true }),
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  await closed;
  expect(mock.events().at(-1)?.type).toBe('generation.canceled');
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'a timeout of %s is rejected right away',
  (timeout) => {
    const create = () => openAICompatible({ baseUrl: 'http://127.0.0.1:1/v1', timeout });
    expect(create).toThrow('timeout must be milliseconds above 0');
  },
);

test('an invalid baseUrl is rejected right away', () => {
  expect(() => openAICompatible({ baseUrl: 'localhost:11434' })).toThrow(TypeError);
});
