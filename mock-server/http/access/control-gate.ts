import { type Exposure, findAccessError, findOriginError } from '../../control-api/access.ts';
import {
  accessProblem,
  ControlProblem,
  jsonResponse,
  problemResponse,
} from '../../control-api/problem.ts';
import { SESSION_PATH, signedInPage, signInPage } from '../site/sign-in-page.ts';
import { type ControlSessions, createControlSessions } from './control-sessions.ts';

export interface ControlGateOptions {
  readonly exposure: Exposure;
  /** Without a token, `exposure` decides; with one, only the token does. */
  readonly token: string | undefined;
}

/** Decides who can use the control API and the dashboard. */
export interface ControlGate {
  /** Returns the response that rejects the caller, or undefined if the caller can use them. */
  reject(request: Request, peer: string | undefined): Response | undefined;
  /**
   * Responds to requests about the session: its page, signing in and out, and what it opens; undefined for any other
   * request.
   */
  session(request: Request): Promise<Response> | undefined;
}

const COOKIE = 'contentgen_control';
const MAX_FORM_BYTES = 4096;

export function createControlGate({ exposure, token }: ControlGateOptions): ControlGate {
  return token === undefined ? openGate(exposure) : tokenGate(createControlSessions(token));
}

/** Without a token: nobody signs in. */
function openGate(exposure: Exposure): ControlGate {
  return {
    reject(request, peer) {
      const error = findAccessError({ peer, headers: request.headers }, exposure);
      return error === undefined ? undefined : problemResponse(accessProblem(error));
    },
    session: () => undefined,
  };
}

function tokenGate(sessions: ControlSessions): ControlGate {
  /** Browsers add cookies on their own, so cookies count only for requests from this server's pages. */
  function opens({ headers }: Request): boolean {
    const bearer = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (bearer !== undefined) return sessions.isToken(bearer);
    return findOriginError(headers) === undefined && sessions.isValid(readCookie(headers));
  }

  return {
    reject(request) {
      if (opens(request)) return undefined;
      return wantsPage(request) ? signInPage(401) : problemResponse(TOKEN_NEEDED, CHALLENGE);
    },
    session(request) {
      if (new URL(request.url).pathname !== SESSION_PATH) return undefined;
      if (request.method === 'POST') return submit(request, sessions);
      if (request.method === 'DELETE') return Promise.resolve(signedOut(request, 204));
      const opened = opens(request);
      if (wantsPage(request)) return Promise.resolve(opened ? signedInPage() : signInPage(200));
      return Promise.resolve(jsonResponse(200, { opens: opened ? 'server' : null }));
    },
  };
}

const TOKEN_NEEDED = new ControlProblem(
  401,
  'control_token_required',
  'This server requires a control token. Send it as Authorization: Bearer, or sign in on the page.',
);
const CHALLENGE = { 'www-authenticate': 'Bearer realm="contentgen control"' };

const wantsPage = ({ method, headers }: Request): boolean =>
  method === 'GET' && (headers.get('accept') ?? '').includes('text/html');

/** The form of the page: signs in with the token, or signs out. */
async function submit(request: Request, sessions: ControlSessions): Promise<Response> {
  const error = findOriginError(request.headers);
  if (error !== undefined) return problemResponse(accessProblem(error));
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  const form = new URLSearchParams(length <= MAX_FORM_BYTES ? await request.text() : '');
  if (form.has('sign-out')) return signedOut(request, 303);
  if (!sessions.isToken(form.get('token') ?? '')) {
    return signInPage(401, 'That is not the control token.');
  }
  const cookie = cookieOf(request, sessions.create(), sessions.lifetime);
  return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': cookie } });
}

function signedOut(request: Request, status: 204 | 303): Response {
  const headers = new Headers(status === 303 ? { location: '/' } : {});
  headers.append('set-cookie', cookieOf(request, '', 0));
  return new Response(null, { status, headers });
}

function cookieOf({ headers }: Request, value: string, maxAge: number): string {
  const secure = headers.get('x-forwarded-proto') === 'https' ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`;
}

function readCookie(headers: Headers): string {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
}
