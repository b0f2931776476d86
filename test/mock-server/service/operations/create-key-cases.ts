import { expect } from 'vitest';
import type { ContractServer } from './contract-server.ts';
import { inProgress } from './fixtures.ts';

/** The cases of `createApiKey`, for either of its paths. */
export const createKeyCases = (path: string) => ({
  201: async ({ call, ok }: ContractServer) => {
    const response = await call('POST', path, { name: 'ci', role: 'admin' });
    const made = await response.clone().json();
    expect(made).toMatchObject({ name: 'ci', role: 'admin', status: 'active', expiresAt: null });
    expect(made.key).toMatch(/^cg_test_[0-9A-Za-z]{49}$/);
    await ok('GET', '/api/usage', undefined, { key: made.key });
    return response;
  },
  409: () => inProgress(() => path),
  422: ({ call }: ContractServer) => call('POST', path, { expiresAt: '2025-12-31T00:00:00.000Z' }),
});
