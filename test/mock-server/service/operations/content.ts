import { expect } from 'vitest';
import { type ContractServer, contractServer } from './contract-server.ts';
import type { Cases } from './describe-operation.ts';
import { generation, inProgress } from './fixtures.ts';

const path = '/api/ai/content/generate';
const prompt = 'A haiku about TCP';
const cancelPath = async (server: ContractServer) =>
  `/api/ai/content/generate/${await generation(server)}/cancel`;

export const contentCases = {
  generateContent: {
    recipe: { path: () => path, body: { prompt } },
    own: {
      200: async ({ call }) => {
        const response = await call('POST', path, { prompt, metadata: { a: 'b' } });
        expect(await response.clone().json()).toMatchObject({
          status: 'completed',
          model: 'content-1',
          metadata: { a: 'b' },
        });
        return response;
      },
      202: async ({ call }) => {
        const response = await call('POST', path, { prompt, webhookUrl: 'https://app.example/cb' });
        const body = await response.clone().json();
        expect(body).toEqual({ status: 'processing', requestId: expect.stringMatching(/^gen_/) });
        return response;
      },
      409: () => inProgress(() => path, { prompt }),
      422: ({ call }) => call('POST', path, { prompt: '' }),
      429: async () => {
        const { call } = contractServer({ quota: 1 });
        await call('POST', path, { prompt });
        const response = await call('POST', path, { prompt });
        expect(await response.clone().json()).toMatchObject({
          code: 'quota_exceeded',
          resetsAt: '2026-02-01T00:00:00.000Z',
        });
        return response;
      },
      500: async ({ call, mock }) => {
        const response = await call('POST', path, { prompt: '[[fail: out of ink]]' });
        const problem = await response.clone().json();
        expect(problem).toMatchObject({ code: 'generation_failed', detail: 'out of ink' });
        const kept = await call('GET', `${path}/${problem.generationId}`, undefined, {
          key: mock.memberKey,
        });
        expect(await kept.json()).toMatchObject({ status: 'failed' });
        return response;
      },
    },
  },
  listGenerations: {
    recipe: { path: () => path },
    own: {
      200: async ({ call, ok }) => {
        await ok('POST', path, { prompt: 'one' });
        await ok('POST', path, { prompt: 'two' });
        await call('POST', path, { prompt: '[[fail]]' });
        const all = await ok<{ data: { status: string }[] }>('GET', path);
        expect(all.data.map(({ status }) => status)).toEqual(['failed', 'completed', 'completed']);
        return call('GET', `${path}?status=failed&limit=1`);
      },
      422: ({ call }) => call('GET', `${path}?limit=101`),
    },
  },
  getGeneration: {
    recipe: { path: async (server) => `/api/ai/content/generate/${await generation(server)}` },
    own: {
      200: async (server) => {
        const id = await generation(server);
        await server.mock.settle();
        const response = await server.call('GET', `/api/ai/content/generate/${id}`);
        expect(await response.clone().json()).toMatchObject({ requestId: id, status: 'completed' });
        return response;
      },
      204: async (server) => {
        const id = await generation(server);
        await server.mock.settle();
        const headers = { accept: 'text/event-stream', 'last-event-id': '3' };
        return server.call('GET', `/api/ai/content/generate/${id}`, undefined, { headers });
      },
    },
  },
  cancelGeneration: {
    recipe: { path: cancelPath },
    own: {
      200: async (server) => {
        const response = await server.call('POST', await cancelPath(server));
        expect(await response.clone().json()).toMatchObject({ status: 'canceled' });
        await server.mock.settle();
        expect(server.mock.deliveries()).toEqual([]);
        return response;
      },
      409: async (server) => {
        const cancel = await cancelPath(server);
        await server.ok('POST', cancel);
        return server.call('POST', cancel);
      },
    },
  },
} satisfies Partial<Cases>;
