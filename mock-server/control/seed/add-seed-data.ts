import { generationDefaults } from '../../api/schema-errors.ts';
import { type KeyMaterial, materialOf, newKeyMaterial } from '../../domain/api-keys.ts';
import type { Context } from '../../domain/context.ts';
import { logChange } from '../../domain/event-log.ts';
import { type IdPrefix, newId, newIdAt } from '../../domain/ids.ts';
import { createOrganization, createProject } from '../../domain/organizations.ts';
import { periodOf } from '../../domain/periods.ts';
import type { ApiKey, Generation } from '../../domain/records.ts';
import { outcomeOf } from '../../domain/run-generation.ts';
import { newSecret } from '../../domain/signing-secrets.ts';
import { addUsage } from '../../domain/usage.ts';
import { addWebhook } from '../../domain/webhooks.ts';
import type { Tenant } from '../tenants/tenants.ts';
import { readSeedTime } from './check-seed-data.ts';
import {
  organizationsOfSeed,
  type SeedData,
  type SeedGeneration,
  type SeedKey,
  type SeedOrganization,
  type SeedRecords,
  type SeedTime,
  type SeedWebhook,
} from './seed-data.ts';

const MAX_TOKENS = 32_768;

/** Who owns the records. */
interface Owner {
  readonly organization: string;
  readonly project: string;
  readonly rngStream: number;
  readonly actor: string;
}

/** Adds checked seed data to a new server. The records of the first organization go to `tenant`. */
export function addSeedData(context: Context, tenant: Tenant, data: SeedData): void {
  const [first, ...others] = organizationsOfSeed(data);
  context.store.transaction(() => {
    const own = context.store.table('organizations').get(tenant.organization);
    if (!own || !first) return;
    addRecords(context, { ...tenant, rngStream: own.rngStream, actor: 'system' }, first);
    for (const other of others) addOrganization(context, other);
  });
}

function addOrganization(context: Context, seed: SeedOrganization): void {
  const { id, quota, project, signingSecret } = seed;
  const organization = createOrganization(context, {
    ...(id !== undefined && { id }),
    ...(quota !== undefined && { quota }),
  });
  const { id: own } = createProject(context, organization, {
    ...(project !== undefined && { id: project }),
    ...(signingSecret !== undefined && { secret: signingSecret }),
  });
  const { rngStream } = organization;
  addRecords(
    context,
    { organization: organization.id, project: own, rngStream, actor: 'system' },
    seed,
  );
}

function addRecords(context: Context, owner: Owner, records: SeedRecords): void {
  const { keys = [], webhooks = [], generations = [] } = records;
  for (const key of keys) addKey(context, owner, key);
  for (const webhook of webhooks) addSeedWebhook(context, owner, webhook);
  for (const generation of generations) addGeneration(context, owner, generation);
}

function addKey(context: Context, owner: Owner, seed: SeedKey): void {
  const { name = 'API key', role = 'member', key, expiresAt, revokedAt } = seed;
  const now = context.ports.clock.now();
  const material: KeyMaterial =
    key === undefined ? newKeyMaterial(context, owner.rngStream) : materialOf(context, key);
  const { hash, hint } = material;
  const { organization, project, actor } = owner;
  const row: ApiKey = {
    ...originOf(context, owner, 'key', seed),
    organization,
    project,
    name,
    role,
    hash,
    hint,
    createdBy: actor,
    ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: readSeedTime(revokedAt, now) ?? now }),
  };
  context.store.table('apiKeys').put(row);
  logChange(context, row, 'api_key.created', { role });
}

function addSeedWebhook(context: Context, owner: Owner, seed: SeedWebhook): void {
  const origin = { ...owner, ...originOf(context, owner, 'wh', seed) };
  const secret = seed.secret ?? newSecret(context, owner.rngStream);
  const row = addWebhook(context, origin, { ...seed, secret });
  if (seed.status === 'disabled') {
    context.store
      .table('webhooks')
      .put({ ...row, status: 'disabled', disabledReason: 'requested' });
  }
}

function addGeneration(context: Context, owner: Owner, seed: SeedGeneration): void {
  const {
    prompt,
    status = 'completed',
    model = generationDefaults().model,
    webhookUrl,
    metadata,
  } = seed;
  const { organization, project } = owner;
  const origin = originOf(context, owner, 'gen', seed);
  const accepted: Generation = {
    ...origin,
    organization,
    project,
    status: 'processing',
    delivery: webhookUrl === undefined ? 'response' : 'callback',
    model,
    prompt,
    maxTokens: MAX_TOKENS,
    ...(webhookUrl !== undefined && { webhookUrl }),
    ...(metadata && { metadata }),
  };
  const row: Generation = {
    ...accepted,
    ...outcomeOfSeed(context, accepted, seed),
    status,
    completedAt: origin.createdAt,
  };
  context.store.table('generations').put(row);
  logChange(context, row, `generation.${status}`, {});
  countSeed(context, row);
}

function outcomeOfSeed(
  context: Context,
  accepted: Generation,
  { status = 'completed', result = '', error }: SeedGeneration,
): Pick<Generation, 'result' | 'usage' | 'error'> {
  if (status === 'canceled') return {};
  if (status === 'completed') {
    const outcome = outcomeOf(context, accepted, result);
    return outcome.status === 'completed' ? { result, usage: outcome.usage } : {};
  }
  const message = error ?? 'The model failed to generate a result.';
  return { error: { code: 'generation_failed', message } };
}

/** Adds a generation of the current month to the usage. Earlier months are already billed. */
export function countSeed(context: Context, { organization, usage, createdAt }: Generation): void {
  const { start } = periodOf(context.ports.clock.now());
  if (usage && createdAt >= start) addUsage(context, organization, usage.totalTokens);
}

/** A row's id and time of creation. Generated ids sort by that time, even if it is in the past. */
function originOf(
  context: Context,
  { rngStream }: Owner,
  prefix: IdPrefix,
  seed: { readonly id?: string; readonly createdAt?: SeedTime },
): { readonly id: string; readonly createdAt: number } {
  const now = context.ports.clock.now();
  const createdAt = readSeedTime(seed.createdAt, now) ?? now;
  const id =
    seed.id ??
    (createdAt === now
      ? newId(context, prefix, rngStream)
      : newIdAt(context.ports, prefix, rngStream, createdAt));
  return { id, createdAt };
}
