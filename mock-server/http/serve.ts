import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaults } from '../composition/defaults.ts';
import { internalsOf } from '../composition/internals.ts';
import type { MockServer } from '../composition/mock-server.ts';
import { classifyAddress } from '../domain/address-policy.ts';
import {
  assertOptions,
  flag,
  integerFrom,
  matches,
  mustBe,
  type OptionRules,
  text,
} from '../domain/options.ts';
import { createControlGate } from './access/control-gate.ts';
import { listen, listeningUrl, stopListening } from './listen.ts';
import { type SocketRequest, socketRequest } from './node-request.ts';
import { makePlain, sendResponse } from './node-response.ts';
import { createSite } from './site/site.ts';
import { dashboardFiles } from './site/static-files.ts';

export { type SqliteStore, sqliteStore } from '../stores/sqlite.ts';
export { DataFileError } from '../stores/sqlite-file.ts';

/** Options of {@link serve}. */
export interface ServeOptions {
  /** 0 picks a free port. @default 4010 */
  readonly port?: number;
  /**
   * Address to listen on. Unless it is loopback, callback URLs on loopback are rejected, except with the mock's
   * `deliveries.allowPrivate`.
   * @default '127.0.0.1'
   */
  readonly host?: string;
  /** Whether to serve the dashboard at `/`; a URL names the folder it was built into. @default true */
  readonly dashboard?: boolean | URL;
  /**
   * Opens `/_control` and the dashboard to callers who send this token (`Authorization: Bearer`; the dashboard asks
   * for it), from anywhere, and to nobody else. At least 16 characters.
   * @default none: open to this machine only
   */
  readonly controlToken?: string;
}

const rules: OptionRules<ServeOptions> = {
  port: integerFrom(0, 65_535),
  host: text,
  dashboard: mustBe('true, false or a URL', (value) => !flag(value) || value instanceof URL),
  controlToken: mustBe(
    'at least 16 visible ASCII characters without spaces',
    matches(/^[\x21-\x7e]{16,}$/),
  ),
};

/** A mock that listens on a socket. */
export interface ServedMock {
  /** Base URL without prefix or trailing slash. If `host` means every address, the URL names loopback. */
  readonly url: string;
  /** The port that it listens on. */
  readonly port: number;
  /** Stops accepting requests, lets those in flight finish, and ends the connections that are left after `graceMs`. */
  close(options?: {
    /** How long requests in flight have to finish, in ms. @default 5_000 */
    readonly graceMs?: number;
  }): Promise<void>;
}

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};

type Respond = (request: SocketRequest) => Promise<Response>;

/**
 * Serves a mock on a socket: the public API, the control API and the dashboard.
 *
 * @throws the system's error when it cannot listen, for instance with the code `EADDRINUSE`
 * @example
 * ```ts
 * import { createMockServer } from 'contentgen/mock';
 * import { serve } from 'contentgen/mock/http';
 *
 * const served = await serve(createMockServer(), { port: 0 });
 * console.log(served.url);
 * await served.close();
 * ```
 */
export async function serve(mock: MockServer, options: ServeOptions = {}): Promise<ServedMock> {
  const { port = defaults.port, host = defaults.host, dashboard = true, controlToken } = options;
  assertOptions('serve', options, rules);
  const { createServer } = await import('node:http');
  const internals = internalsOf(mock);
  if (!isLoopback(host)) internals.forbidLoopback();
  const built = dashboard === true ? undefined : dashboard;
  const files = built === false ? undefined : dashboardFiles(built);
  const site = createSite(mock, createControlGate(controlToken), files);
  const respond: Respond = (request) =>
    site.handle(request, request.peer) ?? internals.handle(request, makePlain);
  const server = createServer(LIMITS, rejectingSeveralHosts(createListener(respond)));
  await listen(server, port, host);
  const { port: actualPort } = server.address() as AddressInfo;
  const url = listeningUrl(host, actualPort);
  return {
    url,
    port: actualPort,
    close({ graceMs = 5_000 } = {}) {
      site.close();
      return stopListening(server, graceMs);
    },
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || classifyAddress(host) === 'loopback';

function createListener(respond: Respond): RequestListener {
  const send = async (incoming: IncomingMessage, outgoing: ServerResponse) =>
    sendResponse(outgoing, await respond(socketRequest(incoming)));
  return (incoming, outgoing) => {
    // The caller disconnected, or the body broke off: there is no caller left to respond to.
    send(incoming, outgoing).catch(() => outgoing.destroy());
  };
}

/** Of several `Host` headers, Node keeps one, and a proxy before it could keep another (RFC 9112, 3.2). */
function rejectingSeveralHosts(listener: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const { rawHeaders } = incoming;
    let hosts = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at];
      if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    }
    if (hosts > 1) outgoing.writeHead(400, { connection: 'close' }).end();
    else listener(incoming, outgoing);
  };
}
