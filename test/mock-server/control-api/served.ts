import { onTestFinished } from 'vitest';
import { type ServeOptions, serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';

/** A mock behind a socket, on the manual clock, until the test ends. */
export async function served(options: ServeOptions = {}) {
  const mock = createMockServer({ clock: 'manual', start: '2026-01-01', seed: 1 });
  const server = await serve(mock, { port: 0, dashboard: false, ...options });
  onTestFinished(async () => {
    await server.close({ graceMs: 0 });
    await mock.close();
  });
  return { mock, url: server.url, control: `${server.url}/_control`, close: () => server.close() };
}
