import type { World } from './context.ts';
import { logChange } from './event-log.ts';
import { newId } from './ids.ts';
import { formatKey, hintOf, isWellFormedKey } from './key-format.ts';
import type { Role } from './ports.ts';
import type { ApiKey } from './records.ts';
import { type Refusal, refuse, refuseField } from './rejection.ts';

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

export function materialOf(world: World, key: string): KeyMaterial {
  return { key, hash: world.ports.digest(key), hint: hintOf(key) };
}

export function newKeyMaterial(world: World, stream: number): KeyMaterial {
  return materialOf(world, formatKey(world.ports.random.bytes(stream, KEY_BYTES), 'test'));
}

export interface NewApiKey {
  readonly name?: string;
  readonly role?: Role;
  readonly expiresAt?: number;
}

export interface KeyOwner {
  readonly organization: string;
  readonly project: string;
  readonly ordinal: number;
  /** Who makes it: a user, a key, or `system`. */
  readonly actor: string;
}

export function statusOf(key: ApiKey, now: number): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== undefined) return 'revoked';
  return key.expiresAt !== undefined && key.expiresAt <= now ? 'expired' : 'active';
}

/** Stores the hash alone: the key leaves this server once, in the answer. */
export function createApiKey(
  world: World,
  owner: KeyOwner,
  material: KeyMaterial,
  input: NewApiKey,
): ApiKey | Refusal {
  if (input.expiresAt !== undefined && input.expiresAt <= world.ports.clock.now()) {
    return refuseField('/expiresAt', 'invalid_value', 'expiresAt must be in the future.');
  }
  if (input.expiresAt !== undefined && input.expiresAt >= YEAR_10000) {
    return refuseField('/expiresAt', 'invalid_value', 'expiresAt must be before the year 10000.');
  }
  return put(world, owner, material, { ...input, name: input.name ?? DEFAULT_NAME });
}

function put(
  world: World,
  owner: KeyOwner,
  { hash, hint }: KeyMaterial,
  fields: NewApiKey & { readonly name: string; readonly regeneratedFrom?: string },
): ApiKey {
  const { organization, project, actor } = owner;
  const key: ApiKey = {
    ...fields,
    id: newId(world, 'key', owner.ordinal),
    organization,
    project,
    role: fields.role ?? 'member',
    hash,
    hint,
    createdAt: world.ports.clock.now(),
    createdBy: actor,
  };
  world.store.table('apiKeys').put(key);
  logChange(world, key, 'api_key.created', { role: key.role });
  return key;
}

/** Takes effect at once. Revoking again changes nothing. */
export function revokeApiKey(world: World, key: ApiKey): ApiKey {
  if (key.revokedAt !== undefined) return key;
  const revoked: ApiKey = { ...key, revokedAt: world.ports.clock.now() };
  world.store.table('apiKeys').put(revoked);
  logChange(world, revoked, 'api_key.revoked', { role: revoked.role });
  return revoked;
}

/** Puts a new key in the place of `old`, which works on for the grace period. */
export function regenerateApiKey(
  world: World,
  owner: KeyOwner,
  material: KeyMaterial,
  old: ApiKey,
  gracePeriodSeconds: number,
): ApiKey | Refusal {
  const now = world.ports.clock.now();
  const status = statusOf(old, now);
  if (status !== 'active') {
    return refuse('invalid_state', `The key is ${status}. Create a new one instead.`);
  }
  if (gracePeriodSeconds === 0) revokeApiKey(world, old);
  else {
    const end = now + gracePeriodSeconds * 1000;
    const expiresAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, end);
    world.store.table('apiKeys').put({ ...old, expiresAt });
  }
  const { name, role, expiresAt } = old;
  return put(world, owner, material, {
    name,
    role,
    ...(expiresAt !== undefined && { expiresAt }),
    regeneratedFrom: old.id,
  });
}

/** The row of a usable key, or why it is none. The look-up is by hash: its cost does not grow with the keys. */
export function authenticateKey(world: World, presented: string): ApiKey | Refusal {
  const key = isWellFormedKey(presented)
    ? world.store.table('apiKeys').find('hash', world.ports.digest(presented))
    : undefined;
  if (!key) return refuse('invalid_api_key', 'The API key is not valid.');
  const now = world.ports.clock.now();
  const status = statusOf(key, now);
  if (status === 'revoked') return refuse('revoked_api_key', 'The API key was revoked.');
  if (status === 'expired') return refuse('expired_api_key', 'The API key has expired.');
  if (key.lastUsedAt === undefined || now - key.lastUsedAt >= LAST_USE_PRECISION_MS) {
    world.store.table('apiKeys').put({ ...key, lastUsedAt: now });
  }
  return key;
}
