import type { RequestListener } from 'node:http';
import type { Leadership } from '../../composition/mock-server.ts';
import { ControlProblem, jsonResponse, problemResponse } from '../../control-api/problem.ts';
import type { ControlGate } from '../access/control-gate.ts';
import { type SocketRequest, socketRequest } from '../node-request.ts';
import { sendResponse } from '../node-response.ts';
import { universeAddress } from '../universes.ts';
import { createForwarder, FORWARDED } from './forward.ts';

/** What a standby does with requests: passes them on to the leader, or responds 503 with `Retry-After`. */
export type StandbyMode = 'forward' | 'reject';

export interface SharedListenerParts {
  readonly leadership: Leadership;
  readonly gate: ControlGate;
  readonly mode: StandbyMode;
  /** Rejects if this process is no longer the leader. */
  readonly confirm: () => Promise<void> | undefined;
  /** Serves requests in this process. */
  readonly serveHere: RequestListener;
}

export interface SharedListener {
  readonly listener: RequestListener;
  close(): void;
}

/** For load balancers, so it needs no token: 200 on the leader, 503 on a standby. */
const LEADER_PATH = '/_control/leader';
/** Pages and documents that are the same in every process. */
const LOCAL =
  /^\/(?:$|\?|icon\.svg|assets\/|reference|health|_control\/(?:session|reference|openapi\.yaml))/;

/** The public contract. A standby serves it for GET and HEAD; the leader rejects other methods. */
const CONTRACT = /^\/openapi\.yaml(?:$|\?)/;

/** What needs no access to the control API or the dashboard: the API and its contract. */
const OPEN =
  /^(?:\/u\/[^/]*)?\/(?:(?:v2\/)?(?:api|api-keys|\.well-known)\/|(?:v2\/)?openapi\.yaml$|health$)/;

const RETRY = { 'retry-after': '1' };

/** The listener of one of several processes that share a store. */
export function createSharedListener(parts: SharedListenerParts): SharedListener {
  const { leadership, gate, mode, confirm, serveHere } = parts;
  const forwarder = mode === 'forward' ? createForwarder(leadership) : undefined;

  async function respond(
    incoming: Parameters<RequestListener>[0],
    outgoing: Parameters<RequestListener>[1],
  ): Promise<void> {
    const request = socketRequest(incoming);
    const isOpen = OPEN.test(new URL(request.url).pathname);
    const response = isOpen ? undefined : decideHere(request);
    if (response) return sendResponse(outgoing, await response);
    const isForwarded = incoming.headers[FORWARDED] !== undefined;
    if (forwarder && !isForwarded && (await forwarder.forward(incoming, outgoing))) return;
    // Universes exist only on the leader, so a standby cannot know that one is missing.
    const servesHere = isOpen && !universeAddress(request.url);
    if (leadership.leading || servesHere) serveHere(incoming, outgoing);
    else await sendResponse(outgoing, problemResponse(NOT_LEADING, RETRY));
  }

  /** A process that was suspended might still believe that it is the leader, so it asks the store before it says so. */
  async function respondLeader(outgoing: Parameters<RequestListener>[1]): Promise<void> {
    if (leadership.leading) await Promise.resolve(confirm()).catch(() => {});
    const leader = leadership.leading;
    const response = jsonResponse(leader ? 200 : 503, { leader }, leader ? {} : RETRY);
    await sendResponse(outgoing, response);
  }

  /** Signs in and checks access in this process, because the leader sees this process as the caller. */
  function decideHere(request: SocketRequest): Promise<Response> | Response | undefined {
    const universe = universeAddress(request.url);
    if (!universe) return gate.reject(request, request.peer);
    const inside = request.withUrl(universe.url);
    const own = gate.within(universe.id);
    return own.session(inside) ?? own.reject(inside, request.peer);
  }

  return {
    listener(incoming, outgoing) {
      const { url: path = '/', method = 'GET' } = incoming;
      const reads = method === 'GET' || method === 'HEAD';
      const isLocal = LOCAL.test(path) || (reads && CONTRACT.test(path));
      if (path === LEADER_PATH && method === 'GET') {
        respondLeader(outgoing).catch(() => outgoing.destroy());
      } else if (leadership.leading || isLocal) serveHere(incoming, outgoing);
      else respond(incoming, outgoing).catch(() => outgoing.destroy());
    },
    close: () => forwarder?.close(),
  };
}

const NOT_LEADING = new ControlProblem(
  503,
  'unavailable',
  'This process is a standby and could not reach the leader. Wait as long as Retry-After says, then retry.',
);
