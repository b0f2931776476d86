import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '../../../mock-server/http/serve.ts';
import { conformance } from '../http/conformance.ts';
import { overASocket } from '../http/over-a-socket.ts';

conformance('over a socket, with a data file', (options) => {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  const store = sqliteStore(join(folder, 'contentgen.db'));
  return overASocket({ store, ...options }, () => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
