import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, sqliteStore } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { conformance } from '../http/conformance.ts';

conformance('over a socket, with a data file', async (options) => {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  const store = sqliteStore(join(folder, 'contentgen.db'));
  const mock = createMockServer({ clock: 'manual', seed: 1, store, ...options });
  const server = await serve(mock, { port: 0 });
  return {
    mock,
    baseUrl: server.url,
    fetch: globalThis.fetch,
    async close() {
      await server.close({ graceMs: 100 });
      await mock.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
