import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import { openAICompatible } from '../../../mock-server/index.ts';
import { contractServer, GENERATE } from '../service/helpers.ts';
import { chunk, json, type Responder, stream, upstream } from './model-server.ts';

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

test('content in parts is joined', async () => {
  const content = [
    { type: 'text', text: 'all ' },
    { type: 'text', text: 'of it' },
  ];
  const baseUrl = await upstream((_, __, response) =>
    json(response, 200, { choices: [{ message: { content } }] }),
  );
  const { ok } = contractServer({ generator: openAICompatible({ baseUrl }) });
  expect(await ok('POST', GENERATE, { prompt: 'p' })).toMatchObject({ result: 'all of it' });
});

test('an endpoint that ignores maxTokens and never ends fails the generation and is disconnected', async () => {
  let hungUp = () => {};
  const closed = new Promise<void>((resolve) => {
    hungUp = resolve;
  });
  const baseUrl = await upstream((request, _, response) => {
    request.socket.on('close', hungUp);
    stream(response);
    const write = () => {
      while (!response.destroyed && response.write(chunk('word '.repeat(100))));
    };
    response.on('drain', write);
    write();
  });
  const { call } = contractServer({ generator: openAICompatible({ baseUrl }) });
  const response = await call('POST', GENERATE, { prompt: 'p', maxTokens: 5 });
  expect(await response.json()).toMatchObject({
    code: 'generation_failed',
    detail: 'The model generated more than the 5 tokens of maxTokens.',
  });
  await closed;
});

test.each([
  ['closes a stream in process', true, false],
  ['closes a stream over a socket', true, true],
  ['aborts a call in process', false, false],
  ['aborts a call over a socket', false, true],
])('a caller that %s closes the connection to the endpoint', async (_, streamed, overSocket) => {
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const baseUrl = await upstream((request, _, response) => {
    request.socket.on('close', closed.resolve);
    stream(response).write(chunk('begun'), () => begun.resolve());
  });
  const { mock } = contractServer({ generator: openAICompatible({ baseUrl }), streamGrace: 0 });
  const served = overSocket ? await serve(mock, { port: 0 }) : undefined;
  onTestFinished(() => served?.close({ graceMs: 0 }));
  const controller = new AbortController();
  const send = served ? fetch : mock.fetch;
  const called = send((served?.url ?? mock.baseUrl) + GENERATE, {
    method: 'POST',
    headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'p', stream: streamed }),
    signal: controller.signal,
  });
  await begun.promise;
  if (streamed) await (await called).body?.cancel();
  else {
    controller.abort();
    await expect(called).rejects.toMatchObject({ name: 'AbortError' });
  }
  await closed.promise;
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
