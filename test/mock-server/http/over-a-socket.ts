import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts';
import type { Environment } from './conformance.ts';

/** A mock on the manual clock behind a socket. `cleanUp` runs after both are closed. */
export async function overASocket(
  options: MockServerOptions,
  cleanUp = () => {},
): Promise<Environment> {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  const server = await serve(mock, { port: 0 });
  return {
    mock,
    baseUrl: server.url,
    fetch: globalThis.fetch,
    async close() {
      await server.close({ graceMs: 100 });
      await mock.close();
      cleanUp();
    },
  };
}
