import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can fall silent, like a network that drops every packet. */
export interface SilentProxy {
  readonly port: number;
  /** Stops forwarding in both directions, and reports nothing to either side. */
  stall(): void;
  resume(): void;
  /** Ends every connection and refuses new ones, like a host whose server is gone. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
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
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port: own } = server.address() as AddressInfo;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: own,
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    async refuse() {
      const closed = once(server, 'close');
      server.close();
      endAll();
      await closed;
    },
    accept: () => listen(own),
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
