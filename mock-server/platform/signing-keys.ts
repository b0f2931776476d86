import type { CryptoKey, JWK } from 'jose';
import type { Store } from '../domain/ports.ts';
import type { SigningKey as StoredKey } from '../domain/records.ts';

const ALGORITHM = 'ES256';

export interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly row: StoredKey;
}

/**
 * Returns a function that returns the key pair that signs tokens, made on first use. It is kept in the store, so that it
 * survives a restart and travels in snapshots.
 */
export function createSigningKey(store: Store): () => Promise<SigningKey> {
  const rows = store.table('signingKeys');
  /** The key in use, or the one that is being made or read. */
  let known: { kid: string | undefined; readonly key: Promise<SigningKey> } | undefined;

  /** Returns the stored key. If a reset has deleted it, the key in use is stored again, so that its tokens stay valid. */
  async function current(): Promise<SigningKey> {
    const row = rows.get(ALGORITHM);
    if (!known || (row && known.kid !== undefined && known.kid !== row.kid)) {
      known = { kid: row?.kid, key: row ? readKey(row) : makeKey() };
    }
    const using = known;
    const key = await using.key;
    using.kid = key.row.kid;
    // A snapshot with another key might have been restored while this one was generated or read.
    if (known !== using) return current();
    if (rows.get(ALGORITHM)?.kid === undefined) rows.put(key.row);
    return rows.get(ALGORITHM)?.kid === key.row.kid ? key : current();
  }

  return current;
}

async function makeKey(): Promise<SigningKey> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const jwk = (await exportJWK(privateKey)) as StoredKey['jwk'];
  return { row: { id: ALGORITHM, kid, jwk }, privateKey, publicJwk: published(publicJwk, kid) };
}

async function readKey(row: StoredKey): Promise<SigningKey> {
  const { importJWK } = await import('jose');
  const { kid, jwk } = row;
  const privateKey = (await importJWK(jwk as JWK, ALGORITHM)) as CryptoKey;
  const { d: _, ...open } = jwk;
  return { row, privateKey, publicJwk: published(open as JWK, kid) };
}

const published = (jwk: JWK, kid: string): JWK => ({ ...jwk, kid, alg: ALGORITHM, use: 'sig' });
