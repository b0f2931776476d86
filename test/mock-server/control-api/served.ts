import { onTestFinished } from 'vitest';
import { type ServeOptions, serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';

/** A mock behind a socket, on the manual clock, until it is closed. */
export async function openServed(options: ServeOptions = {}) {
  const mock = createMockServer({ clock: 'manual', start: '2026-01-01', seed: 1 });
  const server = await serve(mock, { port: 0, dashboard: false, ...options });
  const end = async () => {
    await server.close({ graceMs: 0 });
    await mock.close();
  };
  const { url } = server;
  return { mock, url, control: `${url}/_control`, close: () => server.close(), end };
}

/** The same until the test ends. */
export async function served(options: ServeOptions = {}) {
  const opened = await openServed(options);
  onTestFinished(opened.end);
  return opened;
}
