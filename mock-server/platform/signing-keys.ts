import type { CryptoKey, JSONWebKeySet, JWK } from 'jose';
import type { Store } from '../domain/ports.ts';
import type { SigningKey as StoredKey } from '../domain/records.ts';

/** Signature algorithms of tokens. All others are rejected, `none` and HMAC in particular. */
export type TokenAlgorithm = 'ES256' | 'RS256' | 'EdDSA';

export const ALGORITHMS: readonly TokenAlgorithm[] = ['ES256', 'RS256', 'EdDSA'];

export interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly row: StoredKey;
}

/** The key pairs that sign tokens, one for each algorithm, generated on first use. */
export interface SigningKeys {
  keyFor(alg: TokenAlgorithm): Promise<SigningKey>;
  publicKeys(): Promise<JSONWebKeySet>;
}

/** Keeps the keys in a store, so that they survive a restart and travel in snapshots. */
export function createSigningKeys(store: Store): SigningKeys {
  const rows = store.table('signingKeys');
  /** By algorithm: the key in use, or the one that is being made or read. */
  const own = new Map<TokenAlgorithm, { kid: string | undefined; key: Promise<SigningKey> }>();

  /** Returns the stored key. If a reset has deleted it, the key in use is stored again, so that its tokens stay valid. */
  async function keyFor(alg: TokenAlgorithm): Promise<SigningKey> {
    const row = rows.get(alg);
    let known = own.get(alg);
    if (!known || (row && known.kid !== undefined && known.kid !== row.kid)) {
      known = { kid: row?.kid, key: row ? readKey(row) : makeKey(alg) };
      own.set(alg, known);
    }
    const key = await known.key;
    known.kid = key.row.kid;
    // A snapshot with another key might have been restored while this one was generated or read.
    if (own.get(alg) !== known) return keyFor(alg);
    if (rows.get(alg)?.kid === undefined) rows.put(key.row);
    return rows.get(alg)?.kid === key.row.kid ? key : keyFor(alg);
  }

  async function publicKeys(): Promise<JSONWebKeySet> {
    const algorithms = ALGORITHMS.filter(
      (alg) => alg === 'ES256' || own.has(alg) || rows.get(alg) !== undefined,
    );
    const keys = await Promise.all(algorithms.map(keyFor));
    return { keys: keys.map(({ publicJwk }) => publicJwk) };
  }

  return { keyFor, publicKeys };
}

async function makeKey(alg: TokenAlgorithm): Promise<SigningKey> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const jwk = (await exportJWK(privateKey)) as StoredKey['jwk'];
  return { row: { id: alg, kid, jwk }, privateKey, publicJwk: published(publicJwk, kid, alg) };
}

async function readKey(row: StoredKey): Promise<SigningKey> {
  const { importJWK } = await import('jose');
  const { id: alg, kid, jwk } = row;
  const privateKey = (await importJWK(jwk as JWK, alg)) as CryptoKey;
  const secret = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']);
  const open = Object.entries(jwk).filter(([name]) => !secret.has(name));
  return { row, privateKey, publicJwk: published(Object.fromEntries(open) as JWK, kid, alg) };
}

const published = (jwk: JWK, kid: string, alg: string): JWK => ({ ...jwk, kid, alg, use: 'sig' });
