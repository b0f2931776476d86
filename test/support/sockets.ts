import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as SocketServer } from 'node:net';

const closing: (() => unknown)[] = [];

/** Closes something after the test; what was opened last is closed first. */
export const closeAfterwards = (close: () => unknown): void => void closing.push(close);

/** Closes it all now. `leave-nothing-behind.ts` does so after each test. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

/** Listens on a free port of this machine until the test ends. Returns the port. */
export async function listen(server: Server | SocketServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterwards(() => new Promise((resolve) => server.close(resolve)));
  if ('closeAllConnections' in server) closeAfterwards(() => server.closeAllConnections());
  return (server.address() as AddressInfo).port;
}

/** A server that responds so, until the test ends. Returns its URL. */
export const serve = async (respond: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createServer(respond))}`;
