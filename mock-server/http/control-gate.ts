import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Exposure, findAccessError, findOriginError } from '../control-api/access.ts';
import { accessProblem, ControlProblem, problemResponse } from '../control-api/problem.ts';
import { SESSION_PATH, signInPage } from './sign-in-page.ts';

export interface ControlGateOptions {
  readonly exposure: Exposure;
  /** Without a token, `exposure` decides; with one, only the token does. */
  readonly token: string | undefined;
}

/** Decides who can use the control API and the dashboard. */
export interface ControlGate {
  /** Returns the response for a caller who cannot, or undefined. */
  refuse(request: Request, peer: string | undefined): Response | undefined;
  /** Signs in, signs out, and shows the page that asks for the token; undefined for any other request. */
  session(request: Request): Promise<Response> | undefined;
}

const COOKIE = 'contentgen_control';
const SESSION_SECONDS = 12 * 60 * 60;
const MAX_FORM_BYTES = 4096;

export function createControlGate({ exposure, token }: ControlGateOptions): ControlGate {
  if (token === undefined) {
    return {
      refuse(request, peer) {
        const error = findAccessError({ peer, headers: request.headers }, exposure);
        return error === undefined ? undefined : problemResponse(accessProblem(error));
      },
      session: () => undefined,
    };
  }
  const sessions = createSessions(token);

  /** A cookie is sent along by the browser, so it counts only for requests of our own pages. */
  function isAllowed(request: Request): boolean {
    const bearer = /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (bearer !== undefined) return sessions.isToken(bearer);
    const cookie = readCookie(request.headers.get('cookie'));
    return (
      cookie !== undefined &&
      sessions.isValid(cookie) &&
      findOriginError(request.headers) === undefined
    );
  }

  return {
    refuse(request) {
      if (isAllowed(request)) return undefined;
      const wantsPage =
        request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html');
      return wantsPage ? signInPage(401) : problemResponse(TOKEN_NEEDED, CHALLENGE);
    },
    session(request) {
      if (new URL(request.url).pathname !== SESSION_PATH) return undefined;
      if (request.method === 'DELETE') return Promise.resolve(signedOut());
      if (request.method === 'POST') return signIn(request, sessions);
      return Promise.resolve(signInPage(200));
    },
  };
}

const TOKEN_NEEDED = new ControlProblem(
  401,
  'control_token_required',
  'This server asks for its control token. Send it as Authorization: Bearer, or sign in on the page.',
);
const CHALLENGE = { 'www-authenticate': 'Bearer realm="contentgen control"' };

/** Sessions that any process with the same token accepts: an end and its signature, nothing stored. */
function createSessions(token: string) {
  const sign = (text: string) => createHmac('sha256', token).update(text).digest('base64url');
  const isEqual = (a: string, b: string) =>
    timingSafeEqual(Buffer.from(sign(`compare:${a}`)), Buffer.from(sign(`compare:${b}`)));
  return {
    isToken: (given: string) => isEqual(given, token),
    create(): string {
      const end = Math.floor(Date.now() / 1000) + SESSION_SECONDS;
      return `${end}.${sign(`session:${end}`)}`;
    },
    isValid(session: string): boolean {
      const [end = '', signature = ''] = session.split('.');
      return Number(end) > Date.now() / 1000 && isEqual(signature, sign(`session:${end}`));
    },
  };
}

async function signIn(
  request: Request,
  sessions: ReturnType<typeof createSessions>,
): Promise<Response> {
  const error = findOriginError(request.headers);
  if (error !== undefined) return problemResponse(accessProblem(error));
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  const text = length <= MAX_FORM_BYTES ? await request.text() : '';
  const given = new URLSearchParams(text).get('token') ?? '';
  if (!sessions.isToken(given)) return signInPage(401, 'That is not the control token.');
  const cookie = cookieOf(request, sessions.create(), SESSION_SECONDS);
  return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': cookie } });
}

function signedOut(): Response {
  const cookie = `${COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`;
  return new Response(null, { status: 204, headers: { 'set-cookie': cookie } });
}

function cookieOf({ headers }: Request, value: string, maxAge: number): string {
  const secure = headers.get('x-forwarded-proto') === 'https' ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`;
}

function readCookie(header: string | null): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${COOKIE}=`));
  return found?.slice(COOKIE.length + 1);
}
