import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An endpoint that records its deliveries; `statusOf` chooses the response. */
export async function receiver(statusOf: (received: Received) => number = () => 200) {
  const got: Received[] = [];
  let notify = () => {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = {
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks),
    };
    got.push(received);
    response.writeHead(statusOf(received)).end('ok');
    notify();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    got,
    /** Settles once `condition` is true. */
    async until(condition: () => boolean): Promise<void> {
      while (!condition()) await new Promise<void>((resolve) => (notify = resolve));
    },
  };
}

/** A URL where nothing listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
