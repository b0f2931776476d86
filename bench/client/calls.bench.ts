import createClient from 'openapi-fetch';
import { test } from 'vitest';
import { ContentGen } from '../../src/index.ts';

const responseBody = JSON.stringify({
  requestId: 'gen_1',
  status: 'completed',
  model: 'content-1',
  result: 'x'.repeat(200),
  usage: { totalTokens: 5, promptTokens: 1, completionTokens: 4 },
  createdAt: '2026-01-01T00:00:00.000Z',
});
const fetch = async () =>
  new Response(responseBody, { headers: { 'content-type': 'application/json' } });
const baseUrl = 'https://api.example.com';
const path = '/api/ai/content/generate';
const body = { prompt: 'A haiku about TCP' };

/** Without competitors, which need their packages installed: `bench/client/cost.mjs` measures them. */
test('one call over an injected fetch', async ({ bench }) => {
  const bare = createClient({ baseUrl, fetch, headers: { 'x-api-key': 'k' } });
  const client = new ContentGen({ baseUrl, apiKey: 'k', fetch });
  const layered = new ContentGen({
    baseUrl,
    apiKey: 'k',
    fetch,
    middleware: [(request, next) => next(request)],
  });
  await bench.compare(
    bench('fetch + json', async () => {
      await (await fetch()).json();
    }),
    bench('openapi-fetch', async () => {
      await bare.request('post', path as never, { body } as never);
    }),
    bench('contentgen', async () => {
      await client.content.generate(body);
    }),
    bench('contentgen, one middleware', async () => {
      await layered.content.generate(body);
    }),
    bench('contentgen.http', async () => {
      await client.http.POST(path, { body });
    }),
    { time: 300 },
  );
});
