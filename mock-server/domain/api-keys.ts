import type { Context } from './context.ts';
import { logChange } from './event-log.ts';
import { newId } from './ids.ts';
import { mustBe } from './options.ts';
import type { ApiKey, Role } from './records.ts';
import { type Rejection, reject, rejectField } from './rejection.ts';

const KEY_BYTES = 32;
const DEFAULT_NAME = 'API key';
/** A date with a four-digit year and a UTC offset can still fall into this year. */
const YEAR_10000 = Date.UTC(10_000, 0, 1);
/** Last use is recorded to the second, so that a busy key is not written with every request. */
const LAST_USE_PRECISION_MS = 1000;

export interface KeyMaterial {
  readonly key: string;
  readonly hash: string;
  readonly hint: string;
}

export function materialOf(context: Context, key: string): KeyMaterial {
  return { key, hash: context.ports.digest(key), hint: hintOf(key) };
}

export function newKeyMaterial(context: Context, rngStream: number): KeyMaterial {
  return materialOf(context, formatKey(context.ports.random.bytes(rngStream, KEY_BYTES)));
}

export interface NewApiKey {
  readonly name?: string;
  readonly role?: Role;
  readonly expiresAt?: number;
}

export interface KeyOwner {
  readonly organization: string;
  readonly project: string;
  readonly rngStream: number;
  /** Who creates it: a user, a key or `system`. */
  readonly actor: string;
}

export function statusOf(key: ApiKey, now: number): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== undefined) return 'revoked';
  return key.expiresAt !== undefined && key.expiresAt <= now ? 'expired' : 'active';
}

/** Stores only the hash: the key itself leaves the server only in the response. */
export function createApiKey(
  context: Context,
  owner: KeyOwner,
  material: KeyMaterial,
  input: NewApiKey,
): ApiKey | Rejection {
  if (input.expiresAt !== undefined && input.expiresAt <= context.ports.clock.now()) {
    return rejectField('/expiresAt', 'invalid_value', 'expiresAt must be in the future.');
  }
  if (input.expiresAt !== undefined && input.expiresAt >= YEAR_10000) {
    return rejectField('/expiresAt', 'invalid_value', 'expiresAt must be before the year 10000.');
  }
  return storeKey(context, owner, material, { ...input, name: input.name ?? DEFAULT_NAME });
}

function storeKey(
  context: Context,
  owner: KeyOwner,
  { hash, hint }: KeyMaterial,
  fields: NewApiKey & { readonly name: string; readonly regeneratedFrom?: string },
): ApiKey {
  const { organization, project, actor } = owner;
  const key: ApiKey = {
    ...fields,
    id: newId(context, 'key', owner.rngStream),
    organization,
    project,
    role: fields.role ?? 'member',
    hash,
    hint,
    createdAt: context.ports.clock.now(),
    createdBy: actor,
  };
  context.store.table('apiKeys').put(key);
  logChange(context, key, 'api_key.created', { role: key.role });
  return key;
}

/** Takes effect immediately. Revoking twice changes nothing. */
export function revokeApiKey(context: Context, key: ApiKey): ApiKey {
  if (key.revokedAt !== undefined) return key;
  const revoked: ApiKey = { ...key, revokedAt: context.ports.clock.now() };
  context.store.table('apiKeys').put(revoked);
  logChange(context, revoked, 'api_key.revoked', { role: revoked.role });
  return revoked;
}

/** Creates a replacement for `old`, which keeps working for the grace period. */
export function regenerateApiKey(
  context: Context,
  owner: KeyOwner,
  material: KeyMaterial,
  old: ApiKey,
  gracePeriodSeconds: number,
): ApiKey | Rejection {
  const now = context.ports.clock.now();
  const status = statusOf(old, now);
  if (status !== 'active') {
    return reject(
      'invalid_state',
      `A key that is ${status} cannot be regenerated. Create a new one instead.`,
    );
  }
  if (gracePeriodSeconds === 0) revokeApiKey(context, old);
  else {
    const end = now + gracePeriodSeconds * 1000;
    const expiresAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, end);
    context.store.table('apiKeys').put({ ...old, expiresAt });
  }
  const { name, role, expiresAt } = old;
  return storeKey(context, owner, material, {
    name,
    role,
    ...(expiresAt !== undefined && { expiresAt }),
    regeneratedFrom: old.id,
  });
}

/** The record of a key that is usable now. Looked up by hash, so the cost does not grow with the number of keys. */
export function authenticateKey(context: Context, presented: string): ApiKey | Rejection {
  // A mistyped key, whose checksum is wrong, is not found either.
  const key = SHAPE.test(presented)
    ? context.store.table('apiKeys').find('hash', context.ports.digest(presented))
    : undefined;
  if (!key) return reject('invalid_api_key', 'The API key is not valid.');
  const now = context.ports.clock.now();
  const status = statusOf(key, now);
  if (status === 'revoked') return reject('revoked_api_key', 'The API key was revoked.');
  if (status === 'expired') return reject('expired_api_key', 'The API key has expired.');
  if (key.lastUsedAt === undefined || now - key.lastUsedAt >= LAST_USE_PRECISION_MS) {
    context.store.table('apiKeys').put({ ...key, lastUsedAt: now });
  }
  return key;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARS = 43;
const CHECKSUM_CHARS = 6;
const SHAPE = /^cg_(?:live|test)_[0-9A-Za-z]{49}$/;

/** CRC-32 (IEEE) of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const character of text) {
    crc ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(value: bigint, width: number): string {
  let text = '';
  for (let left = value; left > 0n; left /= 62n) text = ALPHABET[Number(left % 62n)] + text;
  return text.padStart(width, '0');
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_CHARS);

/** Formats 32 random bytes as `cg_test_<43 characters of secret><6 characters of checksum>`. */
export function formatKey(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  const body = `cg_test_${base62(value, SECRET_CHARS)}`;
  return body + checksum(body);
}

export const isWellFormedKey = (key: unknown): boolean =>
  typeof key === 'string' &&
  SHAPE.test(key) &&
  key.endsWith(checksum(key.slice(0, -CHECKSUM_CHARS)));

export const keyRule = mustBe(
  'an API key (cg_test_…) with the right format and checksum',
  isWellFormedKey,
);

/** The part of a key that is safe to show: its prefix and its last 4 characters. */
function hintOf(key: string): string {
  return `${key.slice(0, 'cg_test_'.length)}…${key.slice(-4)}`;
}
