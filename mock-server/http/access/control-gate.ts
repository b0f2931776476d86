import { type Exposure, findAccessError, findOriginError } from '../../control-api/access.ts';
import {
  accessProblem,
  ControlProblem,
  jsonResponse,
  problemResponse,
} from '../../control-api/problem.ts';
import { SESSION_PATH, signedInPage, signInPage } from '../site/sign-in-page.ts';
import {
  type ControlScope,
  type ControlSessions,
  createControlSessions,
} from './control-sessions.ts';

export interface ControlGateOptions {
  readonly exposure: Exposure;
  /** Without a token, `exposure` decides; with one, only the token does. */
  readonly token: string | undefined;
}

/** Decides who can use the control API and the dashboard of the server, or of one universe. */
export interface ControlGate {
  /** Returns the response that rejects the caller, or undefined if the caller can use them. */
  reject(request: Request, peer: string | undefined): Response | undefined;
  /**
   * Responds to requests about the session: its page, signing in and out, and what it opens; undefined for any other
   * request.
   */
  session(request: Request): Promise<Response> | undefined;
  /** The gate of a universe, for requests whose URL is relative to the universe. */
  within(universe: string): ControlGate;
  /** The token that opens only one universe; undefined for a server without a token. */
  universeToken(universe: string): string | undefined;
}

const SERVER_COOKIE = 'contentgen_control';
const UNIVERSE_COOKIE = 'contentgen_universe';
const MAX_FORM_BYTES = 4096;

export function createControlGate({ exposure, token }: ControlGateOptions): ControlGate {
  return token === undefined ? openGate(exposure) : tokenGate(createControlSessions(token));
}

/** Without a token: nobody signs in. */
function openGate(exposure: Exposure): ControlGate {
  const gate: ControlGate = {
    reject(request, peer) {
      const error = findAccessError({ peer, headers: request.headers }, exposure);
      return error === undefined ? undefined : problemResponse(accessProblem(error));
    },
    session: () => undefined,
    within: () => gate,
    universeToken: () => undefined,
  };
  return gate;
}

function tokenGate(sessions: ControlSessions, universe?: string): ControlGate {
  /** Browsers add cookies on their own, so cookies count only for requests from this server's pages. */
  function scopeOf({ headers }: Request): ControlScope | undefined {
    const bearer = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (bearer !== undefined) return sessions.scopeOfToken(bearer, universe);
    return findOriginError(headers) === undefined ? scopeOfCookies(headers) : undefined;
  }

  function scopeOfCookies(headers: Headers): ControlScope | undefined {
    const server = readCookie(headers, SERVER_COOKIE);
    if (server !== undefined && sessions.isValid(server, undefined)) return 'server';
    const own = universe === undefined ? undefined : readCookie(headers, UNIVERSE_COOKIE);
    return own !== undefined && sessions.isValid(own, universe) ? 'universe' : undefined;
  }

  return {
    reject(request) {
      const scope = scopeOf(request);
      if (scope === 'server' || (scope === 'universe' && !isAboutOthers(request))) return undefined;
      if (scope === 'universe') return problemResponse(ONE_UNIVERSE);
      return wantsPage(request)
        ? signInPage(401, universe)
        : problemResponse(TOKEN_NEEDED, CHALLENGE);
    },
    session(request) {
      if (new URL(request.url).pathname !== SESSION_PATH) return undefined;
      if (request.method === 'POST') return submit(request, sessions, universe);
      if (request.method === 'DELETE') return Promise.resolve(signedOut(request, universe));
      const scope = scopeOf(request);
      if (!wantsPage(request)) return Promise.resolve(jsonResponse(200, { opens: scope ?? null }));
      return Promise.resolve(
        scope === undefined ? signInPage(200, universe) : signedInPage(universe),
      );
    },
    within: (id) => tokenGate(sessions, id),
    universeToken: sessions.universeToken,
  };
}

const TOKEN_NEEDED = new ControlProblem(
  401,
  'control_token_required',
  'This server requires a control token. Send it as Authorization: Bearer, or sign in on the page.',
);
const CHALLENGE = { 'www-authenticate': 'Bearer realm="contentgen control"' };

const ONE_UNIVERSE = accessProblem(
  'This token opens only one universe. To list, create or close universes, send the control token of the server.',
);

/** The routes that concern all universes exist inside each of them too. */
const isAboutOthers = ({ url }: Request): boolean =>
  /^\/_control\/universes(?:\/|$)/.test(new URL(url).pathname);

const wantsPage = ({ method, headers }: Request): boolean =>
  method === 'GET' && (headers.get('accept') ?? '').includes('text/html');

const rootOf = (universe: string | undefined): string =>
  universe === undefined ? '/' : `/u/${universe}/`;

/** The form of the page: signs in with the token, or signs out. */
async function submit(
  request: Request,
  sessions: ControlSessions,
  universe: string | undefined,
): Promise<Response> {
  const error = findOriginError(request.headers);
  if (error !== undefined) return problemResponse(accessProblem(error));
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  const form = new URLSearchParams(length <= MAX_FORM_BYTES ? await request.text() : '');
  if (form.has('sign-out')) return signedOut(request, universe, 303);
  const scope = sessions.scopeOfToken(form.get('token') ?? '', universe);
  if (scope === undefined) return signInPage(401, universe, 'That is not the control token.');
  const opened = scope === 'server' ? undefined : universe;
  const cookie = cookieOf(request, opened, sessions.create(opened), sessions.lifetime);
  const headers = { location: rootOf(universe), 'set-cookie': cookie };
  return new Response(null, { status: 303, headers });
}

/** Ends both sessions, because either can open the page of a universe. */
function signedOut(request: Request, universe: string | undefined, status = 204): Response {
  const headers = new Headers(status === 303 ? { location: rootOf(universe) } : {});
  headers.append('set-cookie', cookieOf(request, undefined, '', 0));
  if (universe !== undefined) headers.append('set-cookie', cookieOf(request, universe, '', 0));
  return new Response(null, { status, headers });
}

function cookieOf(
  { headers }: Request,
  universe: string | undefined,
  value: string,
  maxAge: number,
): string {
  const name = universe === undefined ? SERVER_COOKIE : UNIVERSE_COOKIE;
  const secure = headers.get('x-forwarded-proto') === 'https' ? '; Secure' : '';
  return `${name}=${value}; Path=${rootOf(universe)}; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`;
}

function readCookie(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
