import type { JWK, JWTPayload } from 'jose';
import type { Store, TokenAuthority, TokenClaims, TokenVerdict } from '../domain/ports.ts';
import { createSigningKey } from './signing-keys.ts';

export interface TokenOptions {
  readonly issuer: string;
  readonly store: Store;
  /** More public keys whose tokens are accepted, each with a `kid`. @default none */
  readonly jwks?: { readonly keys: readonly object[] };
}

/** Signature algorithms of tokens, our own first. All others are rejected, `none` and HMAC in particular. */
const ALGORITHMS = ['ES256', 'RS256', 'EdDSA'];

const AUDIENCE = 'contentgen';
const LEEWAY_SECONDS = 30;
const IDENTIFIER = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Issues and verifies the JWTs of users. Its key pair is in the store: it survives a restart and travels in snapshots.
 *
 * `jku`, `jwk` and `x5c` in a token are ignored: only the server's own key and those in `jwks` count.
 */
export function createTokenAuthority(options: TokenOptions): TokenAuthority {
  const { issuer, store, jwks: trusted } = options;
  const current = createSigningKey(store);
  let resolver:
    | { readonly kid: string; readonly find: ReturnType<typeof makeResolver> }
    | undefined;

  async function makeResolver(own: JWK) {
    const { createLocalJWKSet } = await import('jose');
    return createLocalJWKSet({ keys: [own, ...((trusted?.keys ?? []) as JWK[])] });
  }

  /** A function that finds a token's key, made again only when the server's own key changes, and the id of that. */
  async function currentKeys() {
    const { publicJwk, row } = await current();
    if (resolver?.kid !== row.kid) resolver = { kid: row.kid, find: makeResolver(publicJwk) };
    return { own: row.kid, find: await resolver.find };
  }

  return {
    async issue(claims) {
      const { SignJWT } = await import('jose');
      const { row, privateKey } = await current();
      return new SignJWT({ org: claims.org, project: claims.project, role: claims.role })
        .setProtectedHeader({ alg: row.id, kid: row.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(claims.sub)
        .setIssuedAt(claims.iat)
        .setExpirationTime(claims.exp)
        .sign(privateKey);
    },
    async verify(token, now): Promise<TokenVerdict> {
      const { errors, jwtVerify } = await import('jose');
      const { own, find } = await currentKeys();
      try {
        const { payload, protectedHeader } = await jwtVerify(token, find, {
          issuer,
          audience: AUDIENCE,
          algorithms: ALGORITHMS,
          clockTolerance: LEEWAY_SECONDS,
          currentDate: new Date(now * 1000),
          requiredClaims: ['sub', 'exp', 'iat', 'org', 'project', 'role'],
        });
        const claims = readClaims(payload);
        const timely = claims !== undefined && claims.iat <= now + LEEWAY_SECONDS;
        const { kid } = protectedHeader;
        if (kid === undefined || !timely) return INVALID;
        return { ok: true, claims, issuedHere: kid === own };
      } catch (error) {
        return error instanceof errors.JWTExpired ? { ok: false, code: 'expired_token' } : INVALID;
      }
    },
    async jwks() {
      const { publicJwk } = await current();
      return JSON.parse(JSON.stringify({ keys: [publicJwk] }));
    },
  };
}

const INVALID: TokenVerdict = { ok: false, code: 'invalid_token' };

function readClaims({ sub, org, project, role, iat, exp }: JWTPayload): TokenClaims | undefined {
  if (iat === undefined || exp === undefined) return undefined;
  if (role !== 'admin' && role !== 'member') return undefined;
  if (!isIdentifier(sub) || !isIdentifier(org) || !isIdentifier(project)) return undefined;
  return { sub, org, project, role, iat, exp };
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && IDENTIFIER.test(value);
