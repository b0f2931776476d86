import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MockServer } from '../../mock-server/index.ts';
import { snippetsOf } from '../e2e/readme/snippets.ts';
import { begun, GENERATE } from '../mock-server/service/helpers.ts';
import { root } from '../support/sources.ts';

const asked: { path: string | undefined; body: unknown }[] = [];
const closed = Promise.withResolvers<void>();
let mock: MockServer;

/** A chat completion that answers in two pieces, and never ends for the prompt 'endless'. */
const model = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
  asked.push({ path: request.url, body });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.on('close', () => closed.resolve());
  for (const content of ['Hel', 'lö ✓']) {
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  }
  if (body.messages[0].content !== 'endless') response.end('data: [DONE]\n\n');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const page = readFileSync(join(root, 'docs/testing.md'), 'utf8');
  const [recipe] = snippetsOf('docs/testing.md', page).filter(({ text }) =>
    text.includes("from 'openai'"),
  );
  const folder = join(root, 'test/foreign/.snippets');
  const file = join(folder, 'model-sdk.ts');
  mkdirSync(folder, { recursive: true });
  const { port } = model.address() as AddressInfo;
  writeFileSync(
    file,
    String(recipe?.text).replace('11434', String(port)).replace('const mock', 'export const mock'),
  );
  ({ mock } = await import(file));
});

afterAll(async () => {
  await mock?.close();
  model.closeAllConnections();
  model.close();
});

function generate(prompt: string, signal?: AbortSignal): Promise<Response> {
  return mock.fetch(mock.baseUrl + GENERATE, {
    method: 'POST',
    headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt, maxTokens: 50 }),
    ...(signal && { signal }),
  });
}

test("the guide's generator passes the prompt to a model's SDK and returns its text", async () => {
  expect(await (await generate('Greet me')).json()).toMatchObject({ result: 'Hellö ✓' });
  expect(asked).toMatchObject([
    {
      path: '/v1/chat/completions',
      body: {
        model: 'llama3.2',
        messages: [{ role: 'user', content: 'Greet me' }],
        max_tokens: 50,
      },
    },
  ]);
});

test('a canceled generation closes the connection to the model', async () => {
  const controller = new AbortController();
  const accepted = begun(mock);
  const call = generate('endless', controller.signal);
  await accepted;
  while (asked.length < 2) await new Promise(setImmediate);
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  await closed.promise;
});
