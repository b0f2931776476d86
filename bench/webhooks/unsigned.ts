import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';

// How much memory unsigned requests cost a receiver: node bench/webhooks/unsigned.ts. Each connection sends a body just
// under the limit and holds back its last byte. `buffer first` reads the body before it looks at the headers.
const connections = 300;
const bytes = 1_000_000;
const [, , kind] = process.argv;

if (kind) serve(kind);
else {
  const rows: Record<string, object> = {};
  for (const name of Object.keys(receivers())) rows[name] = await measure(name);
  console.log(`${connections} unsigned connections with ${bytes.toLocaleString('en')} bytes each`);
  console.table(rows);
}

function receivers(): Record<string, RequestListener> {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  return {
    contentgen: toNodeHandler(
      createWebhookHandler({ secret, logger: { ...console, diagnose: false } }),
    ),
    'buffer first': (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => response.writeHead(400).end());
    },
  };
}

function serve(name: string): void {
  const server = createServer(receivers()[name]).listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
  process.on('message', () => process.send?.({ rss: process.memoryUsage().rss }));
  process.on('disconnect', () => process.exit());
}

async function measure(name: string): Promise<object> {
  const child = fork(fileURLToPath(import.meta.url), [name], { execArgv: ['--no-warnings'] });
  const { port = 0 } = await next(child);
  const idle = await rssOf(child);
  let most = idle;
  const sockets = Array.from({ length: connections }, () => sendAllButLastByte(port));
  for (let sample = 0; sample < 40; sample++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    most = Math.max(most, await rssOf(child));
  }
  const rejected = sockets.filter(({ wasRejected }) => wasRejected()).length;
  for (const { socket } of sockets) socket.destroy();
  child.disconnect();
  await once(child, 'exit');
  const mb = (value: number) => `${Math.round(value / 1e6)} MB`;
  return { idle: mb(idle), peak: mb(most), increase: mb(most - idle), 'rejected so far': rejected };
}

function sendAllButLastByte(port: number): { readonly socket: Socket; wasRejected(): boolean } {
  let isRejected = false;
  const reject = () => {
    isRejected = true;
  };
  const socket = connect(port, '127.0.0.1', () => {
    const head = ['POST / HTTP/1.1', 'host: x', 'content-type: application/json'];
    socket.write(`${head.join('\r\n')}\r\ncontent-length: ${bytes}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes - 1, 97));
  });
  // A connection reset can arrive before the response.
  socket.on('data', reject).on('error', reject).on('close', reject);
  return { socket, wasRejected: () => isRejected };
}

async function rssOf(child: ChildProcess): Promise<number> {
  child.send('rss');
  return (await next(child)).rss ?? 0;
}

async function next(child: ChildProcess): Promise<{ port?: number; rss?: number }> {
  const [message] = await once(child, 'message');
  return message;
}
