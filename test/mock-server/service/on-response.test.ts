import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';

const heard = (mock: ReturnType<typeof createMockServer>) => {
  const lines: string[] = [];
  const stop = internalsOf(mock).onResponse(async (request, response, operation) => {
    lines.push(`${request.method} ${operation} ${response.status}`);
    lines.push(await response.text());
  });
  return { lines, stop };
};

test('a listener sees each response with its operation, and reading it leaves the body to the caller', async () => {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const { lines, stop } = heard(mock);
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch: mock.fetch,
  });
  const { requestId, result } = await client.content.generate({ prompt: 'Hi' });
  await client.content.get(requestId);
  expect(lines.filter((_, at) => at % 2 === 0)).toEqual([
    'POST generateContent 200',
    'GET getGeneration 200',
  ]);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ requestId, result });
  stop();
  await client.usage.get();
  expect(lines).toHaveLength(4);
});

test('a listener sees the whole stream that the caller reads', async () => {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const { lines } = heard(mock);
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch: mock.fetch,
  });
  const { result } = await client.content.stream({ prompt: 'Hi' }).final();
  await expect.poll(() => lines[1]).toContain('event: generation.completed');
  expect(lines[1]).toContain(JSON.stringify(result));
});

test('a response outside the operations has none, and a listener that throws does not fail the call', async () => {
  const errors: unknown[] = [];
  const mock = createMockServer({ onError: (error) => void errors.push(error) });
  const operations: unknown[] = [];
  internalsOf(mock).onResponse((_request, _response, operation) => {
    operations.push(operation);
    throw new Error('broken listener');
  });
  const response = await mock.fetch(`${mock.baseUrl}/api/usage`);
  expect(response.status).toBe(401);
  expect(operations).toEqual([undefined]);
  expect(errors).toMatchObject([{ message: 'broken listener' }]);
  await mock.close();
});

test('a caller who leaves a stream leaves it for the listener too', async () => {
  const mock = createMockServer({
    seed: 1,
    streamGrace: 0,
    generator: async function* (_, { signal }) {
      yield 'begun';
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    },
  });
  const { lines } = heard(mock);
  const response = await mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, {
    method: 'POST',
    headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'p', stream: true }),
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  await expect.poll(() => lines[1]).toContain('generation.started');
  expect(internalsOf(mock).page.lists.generations().data).toMatchObject([{ status: 'canceled' }]);
});
