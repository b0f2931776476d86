import { setupServer } from 'msw/node';
import { mswHandlers } from '../../mock-server/adapters/msw.ts';
import { createMockServer } from '../../mock-server/create-mock-server.ts';
import { conformance } from './conformance.ts';

conformance('msw 3 in Node', (options) => {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  const server = setupServer(...mswHandlers(mock));
  server.listen({ onUnhandledFrame: 'error' });
  return {
    mock,
    baseUrl: mock.baseUrl,
    fetch: globalThis.fetch,
    async close() {
      server.close();
      await mock.close();
    },
  };
});
