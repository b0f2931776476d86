import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a token or a cookie opens: the whole server, or one universe of it. */
export type ControlScope = 'server' | 'universe';

/** Tokens and cookies of a server with a control token. They are not stored: any process with that token can check them. */
export interface ControlSessions {
  /** Seconds for which a cookie is valid. */
  readonly lifetime: number;
  /** The token that opens only one universe. */
  universeToken(universe: string): string;
  /** What a token opens at the server's own address, or at a universe's. */
  scopeOfToken(given: string, universe: string | undefined): ControlScope | undefined;
  /** The value of a new cookie; without a universe, for the whole server. */
  create(universe: string | undefined): string;
  isValid(session: string, universe: string | undefined): boolean;
}

const SESSION_SECONDS = 12 * 60 * 60;

export function createControlSessions(token: string): ControlSessions {
  const sign = (text: string) => createHmac('sha256', token).update(text).digest('base64url');
  const isEqual = (a: string, b: string) =>
    timingSafeEqual(Buffer.from(sign(`compare:${a}`)), Buffer.from(sign(`compare:${b}`)));
  const universeToken = (universe: string) => `cgu_${sign(`universe:${universe}`)}`;
  const signature = (end: string, universe: string | undefined) =>
    sign(universe === undefined ? `session:${end}` : `session:${universe}:${end}`);

  return {
    lifetime: SESSION_SECONDS,
    universeToken,
    scopeOfToken(given, universe) {
      if (isEqual(given, token)) return 'server';
      if (universe !== undefined && isEqual(given, universeToken(universe))) return 'universe';
      return undefined;
    },
    create(universe) {
      const end = String(Math.floor(Date.now() / 1000) + SESSION_SECONDS);
      return `${end}.${signature(end, universe)}`;
    },
    isValid(session, universe) {
      const [end = '', given = ''] = session.split('.');
      return Number(end) > Date.now() / 1000 && isEqual(given, signature(end, universe));
    },
  };
}
