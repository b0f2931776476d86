import {
  Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import type { Leadership } from '../../composition/mock-server.ts';

/** Marks a request that a standby has forwarded, so that it is not forwarded again. */
export const FORWARDED = 'x-contentgen-forwarded';

/** Shorter than the leader's own limit, so that no request is sent on a connection that the leader is closing. */
const IDLE_MS = 30_000;
/** How long a request waits for a leader. */
const PATIENCE_MS = 3_000;
const RETRY_MS = 50;

/** Headers that concern one connection only (RFC 9110, 7.6.1). */
const HOP_HEADERS = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'];

export interface Forwarder {
  /** Resolves to true once the response has begun, and to false if there is no leader or it cannot be reached. */
  forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean>;
  close(): void;
}

/**
 * Passes requests on to the leader. If there is none, they wait for one. A request that reached the leader is never sent
 * twice: if the leader dies, the caller's connection breaks, as it would if the caller had connected to the leader.
 */
export function createForwarder(leadership: Leadership): Forwarder {
  const openAgent = () => new Agent({ keepAlive: true, timeout: IDLE_MS });
  let agent = openAgent();
  // A leader that was stopped never responds, so the requests that it still holds end here.
  const stopListening = leadership.onChange(() => {
    agent.destroy();
    agent = openAgent();
  });

  return {
    async forward(incoming, outgoing) {
      const giveUpAt = performance.now() + PATIENCE_MS;
      while (!leadership.leading && !leadership.closed && !outgoing.destroyed) {
        const { leaderUrl } = leadership;
        if (leaderUrl !== undefined && (await send(leaderUrl, agent, incoming, outgoing)))
          return true;
        if (performance.now() > giveUpAt) return false;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
      return outgoing.destroyed;
    },
    close() {
      stopListening();
      agent.destroy();
    },
  };
}

/** Resolves to false if nothing was sent. */
function send(
  leaderUrl: string,
  agent: Agent,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<boolean> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(leaderUrl);
    const upstream = openRequest({
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: pathOf(incoming.url ?? '/'),
      method: incoming.method ?? 'GET',
      agent,
      headers: headersFor(incoming),
    });
    let connected = false;
    const connect = () => {
      connected = true;
      pipeline(incoming, upstream, () => {});
    };
    upstream.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', connect);
      else connect();
    });
    upstream.once('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, withoutHopHeaders(response.headersDistinct));
      outgoing.flushHeaders();
      pipeline(response, outgoing, () => {});
      resolve(true);
    });
    const abort = () => upstream.destroy();
    outgoing.once('close', abort);
    upstream.on('error', () => {
      outgoing.off('close', abort);
      if (connected) outgoing.destroy();
      resolve(connected);
    });
  });
}

/**
 * An absolute target is meant for proxies (RFC 9112, 3.2.2). Only its path is passed on; otherwise, the caller would
 * choose the host.
 */
function pathOf(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function withoutHopHeaders(headers: IncomingMessage['headersDistinct']): OutgoingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name));
  return Object.fromEntries(
    kept.map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/**
 * The leader's control API accepts only calls from its own pages. This standby has already checked where the call comes
 * from, so it drops the headers with that information.
 */
function headersFor(incoming: IncomingMessage): OutgoingHttpHeaders {
  const headers = { ...withoutHopHeaders(incoming.headersDistinct), [FORWARDED]: '1' };
  if (!incoming.url?.includes('/_control')) return headers;
  const { origin: _, host: __, 'sec-fetch-site': ___, ...rest } = headers as OutgoingHttpHeaders;
  return rest;
}
