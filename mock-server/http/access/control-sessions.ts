import { createHmac, timingSafeEqual } from 'node:crypto';

/** The control token of a server and the cookies of its pages. They are not stored: the token checks them. */
export interface ControlSessions {
  /** Seconds for which a cookie is valid. */
  readonly lifetime: number;
  isToken(given: string): boolean;
  /** The value of a new cookie. */
  create(): string;
  isValid(session: string): boolean;
}

const SESSION_SECONDS = 12 * 60 * 60;

export function createControlSessions(token: string): ControlSessions {
  const sign = (text: string) => createHmac('sha256', token).update(text).digest('base64url');
  const isEqual = (a: string, b: string) =>
    timingSafeEqual(Buffer.from(sign(`compare:${a}`)), Buffer.from(sign(`compare:${b}`)));
  const signature = (end: string) => sign(`session:${end}`);

  return {
    lifetime: SESSION_SECONDS,
    isToken: (given) => isEqual(given, token),
    create() {
      const end = String(Math.floor(Date.now() / 1000) + SESSION_SECONDS);
      return `${end}.${signature(end)}`;
    },
    isValid(session) {
      const [end = '', given = ''] = session.split('.');
      return Number(end) > Date.now() / 1000 && isEqual(given, signature(end));
    },
  };
}
