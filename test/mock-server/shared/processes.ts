import { Agent, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { ContentGen } from '../../../src/index.ts';
import { type MockLine, type Running, start } from '../cli/command.ts';

/** A process of `contentgen mock` that shares a database. */
export interface Instance extends Running {
  readonly mock: MockLine & { readonly leading: boolean };
  readonly url: string;
  /** What `GET /_control/leader` returns. */
  leads(): Promise<boolean>;
  client(apiKey: string): ContentGen;
}

/** Starts a process on a free port, once it knows who leads. */
export async function startInstance(database: string, args: string[] = []): Promise<Instance> {
  const running = start(
    ['mock', '--json', '--log', 'none', '--port', '0', '--allow-private', ...args],
    {
      CONTENTGEN_DATA: database,
    },
  );
  const mock = JSON.parse(await running.line()) as Instance['mock'];
  const { url } = mock;
  return {
    ...running,
    mock,
    url,
    leads: () => leads(url),
    client: (apiKey) => new ContentGen({ baseUrl: url, apiKey, maxRetries: 50, logLevel: 'off' }),
  };
}

/** The process that leads from the start, and one that stands by. */
export async function startPair(database: string, standbyDatabase = database) {
  const leader = await startInstance(database);
  const standby = await startInstance(standbyDatabase);
  return { leader, standby, memberKey: String(leader.mock.memberKey) };
}

async function leads(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(1000);
  const response = await fetch(`${url}/_control/leader`, { signal }).catch(() => undefined);
  return response?.status === 200;
}

/** Polls until the condition holds. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  let finished = false;
  onTestFinished(() => {
    finished = true;
  });
  while (!finished && !(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** A connection to the database that can be cut: nothing gets through, and neither side is told. */
export async function cuttable(databaseUrl: string) {
  const { hostname, port, pathname } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    cut() {
      server.on('connection', (socket) => socket.pause());
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
  };
}

/** A connection that stays open: a stopped process finds the next request on it as soon as it resumes. */
export async function keptOpen(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return {
    ask: (path: string, apiKey: string) =>
      new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
        const asked = request(url + path, { agent, headers: { 'x-api-key': apiKey } });
        asked.once('error', reject).once('response', async (response) => {
          let body = '';
          for await (const chunk of response.setEncoding('utf8')) body += chunk;
          resolve({ status: response.statusCode, body });
        });
        asked.end();
      }),
  };
}
