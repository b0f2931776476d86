import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { conformance } from './conformance.ts';

conformance('over a socket', async (options) => {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  const server = await serve(mock, { port: 0 });
  return {
    mock,
    baseUrl: server.url,
    fetch: globalThis.fetch,
    async close() {
      await server.close({ graceMs: 100 });
      await mock.close();
    },
  };
});
