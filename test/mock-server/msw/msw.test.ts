import { setupServer } from 'msw/node';
import { afterAll } from 'vitest';
import { createMockServer } from '../../../mock-server/create-mock-server.ts';
import { mswHandlers } from '../../../mock-server/msw/handlers.ts';
import { conformance } from '../http/conformance.ts';

/** Shared by all tests: starting the interception takes longer than a test. */
const server = setupServer();
server.listen({ onUnhandledFrame: 'error' });
afterAll(() => server.close());

conformance('msw 3 in Node', (options) => {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  server.resetHandlers(...mswHandlers(mock));
  return {
    mock,
    baseUrl: mock.baseUrl,
    fetch: globalThis.fetch,
    close: () => mock.close(),
  };
});
