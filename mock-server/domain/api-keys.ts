import type { Context } from './context.ts';
import { logChange } from './event-log.ts';
import { newId } from './ids.ts';
import { formatKey, hintOf, isWellFormedKey } from './key-format.ts';
import type { ApiKey, Role } from './records.ts';
import { type Rejection, reject, rejectField } from './rejection.ts';

const KEY_BYTES = 32;
const DEFAULT_NAME = 'API key';
/** An offset may carry a year of four digits beyond. */
const YEAR_10000 = Date.UTC(10_000, 0, 1);
/** Last use is kept to the second: a busy key need not be written with every request. */
const LAST_USE_PRECISION_MS = 1000;

/** The plain key and what is stored of it. */
export interface KeyMaterial {
  readonly key: string;
  readonly hash: string;
  readonly hint: string;
}

export function materialOf(context: Context, key: string): KeyMaterial {
  return { key, hash: context.ports.digest(key), hint: hintOf(key) };
}

export function newKeyMaterial(context: Context, rngStream: number): KeyMaterial {
  return materialOf(context, formatKey(context.ports.random.bytes(rngStream, KEY_BYTES), 'test'));
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
  /** Who makes it: a user, a key, or `system`. */
  readonly actor: string;
}

export function statusOf(key: ApiKey, now: number): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== undefined) return 'revoked';
  return key.expiresAt !== undefined && key.expiresAt <= now ? 'expired' : 'active';
}

/** Stores the hash alone: the key leaves this server once, in the answer. */
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
  return put(context, owner, material, { ...input, name: input.name ?? DEFAULT_NAME });
}

function put(
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

/** Takes effect at once. Revoking again changes nothing. */
export function revokeApiKey(context: Context, key: ApiKey): ApiKey {
  if (key.revokedAt !== undefined) return key;
  const revoked: ApiKey = { ...key, revokedAt: context.ports.clock.now() };
  context.store.table('apiKeys').put(revoked);
  logChange(context, revoked, 'api_key.revoked', { role: revoked.role });
  return revoked;
}

/** Puts a new key in the place of `old`, which works on for the grace period. */
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
    return reject('invalid_state', `The key is ${status}. Create a new one instead.`);
  }
  if (gracePeriodSeconds === 0) revokeApiKey(context, old);
  else {
    const end = now + gracePeriodSeconds * 1000;
    const expiresAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, end);
    context.store.table('apiKeys').put({ ...old, expiresAt });
  }
  const { name, role, expiresAt } = old;
  return put(context, owner, material, {
    name,
    role,
    ...(expiresAt !== undefined && { expiresAt }),
    regeneratedFrom: old.id,
  });
}

/** The row of a usable key, or why it is none. The look-up is by hash: its cost does not grow with the keys. */
export function authenticateKey(context: Context, presented: string): ApiKey | Rejection {
  const key = isWellFormedKey(presented)
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
