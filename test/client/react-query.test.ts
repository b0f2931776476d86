import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createApi } from '../../examples/react-query/api.ts';
import { UsagePanel } from '../../examples/react-query/usage-panel.tsx';

const setUp = (apiKey?: string) => {
  const mock = createMockServer({ clock: 'manual', seed: 1, quota: 5000 });
  const { baseUrl, fetch } = mock;
  const client = new ContentGen({
    baseUrl,
    apiKey: apiKey ?? mock.adminKey,
    fetch,
    logLevel: 'off',
  });
  const api = createApi(client);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const render = () =>
    renderToString(
      createElement(QueryClientProvider, { client: queries }, createElement(UsagePanel, { api })),
    );
  return { mock, client, api, queries, render };
};

test('a component shows what the client fetched', async () => {
  const { client, api, queries, render } = setUp();
  expect(render()).toContain('Loading…');
  const { usage } = await client.content.generate({ prompt: 'A haiku about TCP' });
  await queries.fetchQuery(api.queryOptions('get', '/api/usage'));
  expect(render().replaceAll('<!-- -->', '')).toBe(`<p>${usage.totalTokens} of 5000 tokens</p>`);
});

test('an error status reaches the query as the typed problem', async () => {
  const { api, queries } = setUp('cg_test_wrong');
  await expect(queries.fetchQuery(api.queryOptions('get', '/api/usage'))).rejects.toMatchObject({
    code: 'invalid_api_key',
    status: 401,
  });
});
