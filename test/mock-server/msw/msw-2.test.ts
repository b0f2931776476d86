import { setupServer } from 'msw-2/node';
import { vi } from 'vitest';
import { createMockServer } from '../../../mock-server/create-mock-server.ts';
import { conformance } from '../http/conformance.ts';

vi.mock('msw', () => import('msw-2'));
const { mswHandlers } = await import('../../../mock-server/msw/handlers.ts');

conformance(
  'msw 2 in Node',
  (options) => {
    const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
    const server = setupServer(...(mswHandlers(mock) as unknown as Parameters<typeof setupServer>));
    server.listen({ onUnhandledRequest: 'error' });
    return {
      mock,
      baseUrl: mock.baseUrl,
      fetch: globalThis.fetch,
      async close() {
        server.close();
        await mock.close();
      },
    };
  },
  { bodyCancels: false },
);
