import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openAICompatible } from '../../../mock-server/index.ts';
import { bench, GENERATE } from '../service/helpers.ts';

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
  const { ok } = bench({ generator });
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
        max_tokens: 50,
        temperature: 0.5,
        seed: 3,
        stream: true,
      },
    ],
  ]);
});

test.each<[string, Responder, string]>([
  [
    'an error status',
    (_, __, response) => response.writeHead(401).end('sk-1 is wrong'),
    'status 401',
  ],
  [
    'a stream that ends early',
    (_, __, response) => stream(response).end(chunk('so far')),
    'ended early',
  ],
  [
    'a chunk that is not JSON',
    (_, __, response) => stream(response).end('data: {oops\n\n'),
    'not valid JSON',
  ],
  [
    'an error inside the stream',
    (_, __, response) => stream(response).end('data: {"error":{"message":"sk-1"}}\n\n'),
    'an error',
  ],
])('%s fails the generation without revealing details', async (_, respond, message) => {
  const { call } = bench({ generator: openAICompatible({ baseUrl: await upstream(respond) }) });
  const response = await call('POST', GENERATE, { prompt: 'p' });
  const problem = await response.json();
  expect(problem).toMatchObject({ status: 500, code: 'generation_failed' });
  expect(problem.detail).toContain(message);
  expect(JSON.stringify(problem)).not.toContain('sk-1');
});

test('an unreachable endpoint fails the generation', async () => {
  const { call } = bench({ generator: openAICompatible({ baseUrl: 'http://127.0.0.1:1/v1' }) });
  const response = await call('POST', GENERATE, { prompt: 'p' });
  expect((await response.json()).detail).toBe('Failed to reach the model.');
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
  const { mock } = bench({ generator: openAICompatible({ baseUrl }) });
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

test('an invalid baseUrl is rejected right away', () => {
  expect(() => openAICompatible({ baseUrl: 'localhost:11434' })).toThrow(TypeError);
});
