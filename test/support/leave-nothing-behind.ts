import { afterEach, vi } from 'vitest';
import { closeAll } from './sockets.ts';

/** Set up for each file: no test leaves a server open or anything replaced, so that files can share a worker. */
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await closeAll();
});
