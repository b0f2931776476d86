import type { CryptoKey, JSONWebKeySet, JWK, JWTPayload } from 'jose';
import type { TokenAuthority, TokenClaims, TokenVerdict } from '../domain/ports.ts';

/** Signature algorithms of tokens. All others are rejected, `none` and HMAC in particular. */
export type TokenAlgorithm = 'ES256' | 'RS256' | 'EdDSA';

/** Options of {@link createTokenAuthority}. */
export interface TokenOptions {
  /** The `iss` of tokens: the base URL without `/v2`. */
  readonly issuer: string;
  /** More public keys whose tokens are accepted, each with a `kid`. @default none */
  readonly jwks?: { readonly keys: readonly object[] };
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

const AUDIENCE = 'contentgen';
const ALGORITHMS: readonly TokenAlgorithm[] = ['ES256', 'RS256', 'EdDSA'];
const LEEWAY_SECONDS = 30;
const IDENTIFIER = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Issues and verifies the JWTs of users, with key pairs that exist only in this process.
 *
 * `jku`, `jwk` and `x5c` in a token are ignored: only its own and the configured keys count.
 */
export function createTokenAuthority(options: TokenOptions): TokenAuthority {
  const { issuer, jwks: trusted } = options;
  const own = new Map<TokenAlgorithm, Promise<SigningKey>>();
  let resolver: Promise<ReturnType<typeof import('jose').createLocalJWKSet>> | undefined;

  function keyFor(alg: TokenAlgorithm): Promise<SigningKey> {
    const known = own.get(alg);
    if (known) return known;
    const made = makeKey(alg);
    own.set(alg, made);
    resolver = undefined;
    return made;
  }

  async function publicKeys(): Promise<JSONWebKeySet> {
    await keyFor('ES256');
    const keys = await Promise.all(own.values());
    return { keys: keys.map(({ publicJwk }) => publicJwk) };
  }

  async function makeResolver() {
    const { createLocalJWKSet } = await import('jose');
    const { keys } = await publicKeys();
    return createLocalJWKSet({ keys: [...keys, ...((trusted?.keys ?? []) as JWK[])] });
  }

  return {
    async issue(claims, { alg = 'ES256' } = {}) {
      const { SignJWT } = await import('jose');
      const { kid, privateKey } = await keyFor(alg);
      return new SignJWT({ org: claims.org, project: claims.project, role: claims.role })
        .setProtectedHeader({ alg, kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(claims.sub)
        .setIssuedAt(claims.iat)
        .setExpirationTime(claims.exp)
        .sign(privateKey);
    },
    async verify(token, now): Promise<TokenVerdict> {
      const { errors, jwtVerify } = await import('jose');
      resolver ??= makeResolver();
      try {
        const { payload, protectedHeader } = await jwtVerify(token, await resolver, {
          issuer,
          audience: AUDIENCE,
          algorithms: [...ALGORITHMS],
          clockTolerance: LEEWAY_SECONDS,
          currentDate: new Date(now * 1000),
          requiredClaims: ['sub', 'exp', 'iat', 'org', 'project', 'role'],
        });
        const claims = readClaims(payload);
        const timely = claims !== undefined && claims.iat <= now + LEEWAY_SECONDS;
        if (protectedHeader.kid === undefined || !timely) return INVALID;
        return { ok: true, claims };
      } catch (error) {
        return error instanceof errors.JWTExpired ? { ok: false, code: 'expired_token' } : INVALID;
      }
    },
    async jwks() {
      return JSON.parse(JSON.stringify(await publicKeys()));
    },
  };
}

const INVALID: TokenVerdict = { ok: false, code: 'invalid_token' };

async function makeKey(alg: TokenAlgorithm): Promise<SigningKey> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const { privateKey, publicKey } = await generateKeyPair(alg);
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, privateKey, publicJwk: { ...jwk, kid, alg, use: 'sig' } };
}

function readClaims({ sub, org, project, role, iat, exp }: JWTPayload): TokenClaims | undefined {
  if (iat === undefined || exp === undefined) return undefined;
  if (role !== 'admin' && role !== 'member') return undefined;
  if (!isIdentifier(sub) || !isIdentifier(org) || !isIdentifier(project)) return undefined;
  return { sub, org, project, role, iat, exp };
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && IDENTIFIER.test(value);
