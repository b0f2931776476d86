import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MockServer } from '../mock-server.ts';
import { listeningUrl } from './listening-url.ts';
import { type SocketRequest, socketRequest } from './node-request.ts';
import { makePlain, type Srvx, sendResponse } from './node-response.ts';
import { createSite } from './site.ts';

export { type SqliteStore, sqliteStore } from '../stores/sqlite.ts';
export { DataFileError } from '../stores/sqlite-file.ts';

/** What one answer was, for a log line. */
export interface ResponseFacts {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Milliseconds until the answer's headers. */
  readonly durationMs: number;
  readonly requestId: string | undefined;
}

/** Options of {@link serve}. */
export interface ServeOptions {
  /** 0 takes a free one. @default 4010 */
  readonly port?: number;
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** Serve the dashboard at `/`; a URL names the folder it was built into. @default true */
  readonly dashboard?: boolean | URL;
  /** Take `https:` callback URLs alone, on loopback too. @default what the mock was made with */
  readonly strictHttps?: boolean;
  /** Open `/_control` and the dashboard to other peers, and to these host names. @default false */
  readonly exposeControl?: boolean | readonly string[];
  /** Called with every answer of the public API. */
  readonly onResponse?: (facts: ResponseFacts) => void;
}

/** A mock that listens. */
export interface ServedMock {
  /** Base URL, without prefix and without a slash at its end; on this machine where `host` is every address. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, lets those in flight end, and after `graceMs` (default 5 000) ends them. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};

/**
 * Serves a mock on a socket: the public API, the control API and the dashboard.
 *
 * @throws the system's error, for instance with code `EADDRINUSE`, when it cannot listen
 */
export async function serve(mock: MockServer, options: ServeOptions = {}): Promise<ServedMock> {
  const { port = 4010, host = '127.0.0.1', dashboard = true, exposeControl = false } = options;
  const [{ createServer }, srvx] = await Promise.all([import('node:http'), import('srvx/node')]);
  if (options.strictHttps) mock.requireHttps();
  const site = createSite(mock, { exposeControl, dashboard });
  const answer = (request: SocketRequest): Promise<Response> =>
    site.handle(request, request.peer) ?? mock.handle(request, makePlain);
  const { onResponse } = options;
  const observed = onResponse ? observe(answer, onResponse) : answer;
  const server = createServer(limits, listener(srvx as unknown as Srvx, observed));
  await listen(server, port, host);
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: listeningUrl(host, taken),
    port: taken,
    close({ graceMs = 5_000 } = {}) {
      site.close();
      return stop(server, graceMs);
    },
  };
}

type Answer = (request: SocketRequest) => Promise<Response>;

function listener(srvx: Srvx, answer: Answer): RequestListener {
  return async (req, res) => {
    try {
      await sendResponse(srvx, res, await answer(socketRequest(req)));
    } catch {
      // The caller went away, or the answer broke off: nobody is left to tell.
      res.destroy();
    }
  };
}

function observe(answer: Answer, tell: (facts: ResponseFacts) => void): Answer {
  return async (request) => {
    const start = performance.now();
    const response = await answer(request);
    const { pathname } = new URL(request.url);
    tell({
      method: request.method,
      path: pathname,
      status: response.status,
      durationMs: performance.now() - start,
      requestId: response.headers.get('x-request-id') ?? undefined,
    });
    return response;
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const SWEEP_MS = 50;

function stop(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const end = setTimeout(() => server.closeAllConnections(), graceMs);
    // A kept-alive connection is idle only once its answer has gone out: those that end later are closed then.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    server.close(() => {
      clearTimeout(end);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
    server.on('request', (_, response) => response.setHeader('connection', 'close'));
  });
}
