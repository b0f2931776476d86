import type { ContentGen } from '../../../src/index.ts';
import { setTime } from './clock.ts';
import { control } from './control.ts';

type Server = Awaited<ReturnType<typeof control.page.server>>;

let server: Server | undefined;

export async function loadServer(): Promise<Server> {
  server = await control.page.server();
  setTime(server.now, server.clock);
  return server;
}

/** Calls the API like a user of the service. The client is loaded at the first call. */
export async function api<T>(use: (client: ContentGen) => PromiseLike<T>): Promise<T> {
  const { createClient } = await import('./client.ts');
  return use(createClient(server?.deployment));
}
