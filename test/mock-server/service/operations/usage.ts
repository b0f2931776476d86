import { expect } from 'vitest';
import type { Cases } from './describe-operation.ts';

const path = '/api/usage';

export const usageCases = {
  getUsage: {
    recipe: { path: () => path },
    own: {
      200: async ({ call, ok, mock }) => {
        const { usage } = await ok<{ usage: { totalTokens: number } }>(
          'POST',
          '/api/ai/content/generate',
          { prompt: 'Count me' },
        );
        const response = await call('GET', path);
        expect(await response.clone().json()).toEqual({
          organization: mock.organization,
          periodStart: '2026-01-01T00:00:00.000Z',
          periodEnd: '2026-02-01T00:00:00.000Z',
          used: usage.totalTokens,
          quota: 1_000_000,
          remaining: 1_000_000 - usage.totalTokens,
          requests: 1,
        });
        return response;
      },
    },
  },
} satisfies Partial<Cases>;
