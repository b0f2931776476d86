import { expect } from 'vitest';
import { contractServer } from './contract-server.ts';
import { describeOperation } from './describe-operation.ts';

const path = '/api/ai/content/generate';
const prompt = 'A haiku about TCP';

describeOperation(
  'generateContent',
  { path: () => path, body: { prompt } },
  {
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
    400: ({ call }) => call('POST', path, {}, { raw: '{"prompt": ' }),
    409: async () => {
      const { call } = contractServer({
        generator: async function* () {
          yield await new Promise<string>((resolve) => setImmediate(() => resolve('late')));
        },
      });
      const headers = { 'idempotency-key': 'once' };
      const first = call('POST', path, { prompt }, { headers });
      const second = await call('POST', path, { prompt }, { headers });
      expect((await first).status).toBe(200);
      expect(second.headers.get('retry-after')).toBe('1');
      return second;
    },
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
);
