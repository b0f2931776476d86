import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can fall silent, like a network that drops every packet. */
export interface SilentProxy {
  readonly port: number;
  /** Forwards nothing any more, in either direction, and reports nothing to either side. */
  stall(): void;
  resume(): void;
  /** Ends every connection; new ones go to `port`. */
  redirect(port: number): void;
  close(): void;
}

export async function startProxy(target: number): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  let to = target;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (isStalled) socket.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1');
    for (const [from, into] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk) => into.write(chunk));
      from.on('close', () => into.destroy());
      track(from);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    redirect(port) {
      to = port;
      endAll();
    },
    close() {
      server.close();
      endAll();
    },
  };
}
