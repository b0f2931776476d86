import { setupServer } from 'msw/node';
import { createMockServer } from '../../../mock-server/create-mock-server.ts';
import { mswHandlers } from '../../../mock-server/msw/handlers.ts';
import { conformance } from '../http/conformance.ts';

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
