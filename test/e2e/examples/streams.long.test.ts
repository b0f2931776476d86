import { GenerationStream } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { afterEach, expect, test, vi } from 'vitest';

const prompt = 'A haiku about TCP';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

function startService() {
  const mock = createMockServer({ seed: 1 });
  vi.stubEnv('CONTENTGEN_BASE_URL', mock.baseUrl);
  vi.stubEnv('CONTENTGEN_API_KEY', mock.memberKey);
  vi.stubGlobal('fetch', mock.fetch);
  return mock;
}
const post = (body: string, init: RequestInit = {}) =>
  new Request('https://app.example/generate', { method: 'POST', body, ...init });

test('Next.js: the page reads the same text and generation that the route streams', async () => {
  const mock = startService();
  const { POST } = await import('../../../examples/nextjs/app/api/generate/route.ts');
  const response = await POST(post(prompt));
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const stream = GenerationStream.fromReadableStream(response.body);
  let text = '';
  for await (const piece of stream) text += piece;
  const { result, requestId } = await stream.final();
  expect(text).toBe(result);
  expect(JSON.stringify(mock.events())).toContain(requestId);
});

test('Next.js: a request that the service rejects is an error response, not a broken stream', async () => {
  startService();
  const { POST } = await import('../../../examples/nextjs/app/api/generate/route.ts');
  const response = await POST(post('x'.repeat(100_001)));
  expect([response.status, await response.json()]).toEqual([422, { code: 'validation_failed' }]);
});

test('Next.js: a visitor who leaves cancels the generation', async () => {
  const mock = startService();
  const { POST } = await import('../../../examples/nextjs/app/api/generate/route.ts');
  const response = await POST(post(prompt));
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await vi.waitFor(() => {
    expect(JSON.stringify(mock.events())).toContain('canceled');
  });
});

test('Hono: the route streams only the text', async () => {
  const mock = startService();
  const { default: app } = await import('../../../examples/hono-workers/stream.ts');
  const env = { CONTENTGEN_BASE_URL: mock.baseUrl, CONTENTGEN_API_KEY: mock.memberKey };
  const response = await app.request('/generate', { method: 'POST', body: prompt }, env);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await response.text();
  expect(text.length).toBeGreaterThan(10);
  expect(text).not.toContain('event:');
});
