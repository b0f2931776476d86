import { createHash, timingSafeEqual } from 'node:crypto';
import { findAccessError } from '../../control-api/access.ts';
import { ControlProblem, problemResponse } from '../../control-api/problem.ts';

/** Decides who can use the control API and the dashboard. Each returns the response that rejects a caller. */
export interface ControlGate {
  /** For the control API. */
  reject(request: Request, peer: string | undefined): Response | undefined;
  /** For the files of the dashboard. They hold no data, so a caller without the token can load them and be asked for it. */
  rejectPage(request: Request, peer: string | undefined): Response | undefined;
}

/** Without a token, only this machine can; with one, only the token decides. */
export function createControlGate(token: string | undefined): ControlGate {
  if (token !== undefined) {
    const expected = sha256(token);
    return {
      reject: ({ headers }) =>
        timingSafeEqual(sha256(bearerOf(headers)), expected)
          ? undefined
          : problemResponse(TOKEN_NEEDED, CHALLENGE),
      rejectPage: () => undefined,
    };
  }
  const reject: ControlGate['reject'] = (request, peer) => {
    const error = findAccessError({ peer, headers: request.headers });
    return error === undefined
      ? undefined
      : problemResponse(new ControlProblem('control_forbidden', error));
  };
  return { reject, rejectPage: reject };
}

const TOKEN_NEEDED = new ControlProblem(
  'control_token_required',
  'This server requires its control token. Send it as Authorization: Bearer.',
);
const CHALLENGE = { 'www-authenticate': 'Bearer realm="contentgen control"' };

function bearerOf(headers: Headers): string {
  return /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
}

/** Hashes have equal lengths, which a comparison in constant time requires. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
