import { createApiKey, type KeyMaterial, materialOf, newKeyMaterial } from '../domain/api-keys.ts';
import type { Context } from '../domain/context.ts';
import { isWellFormedKey } from '../domain/key-format.ts';
import { createOrganization, createProject } from '../domain/organizations.ts';
import { timestamp } from '../domain/periods.ts';
import type { Organization, Role } from '../domain/records.ts';
import { ControlError } from './control-error.ts';

/** An organization's project with keys of its own. */
export interface Tenant {
  readonly organization: string;
  readonly project: string;
  /** Shown here alone: the server keeps its hash. */
  readonly adminKey: string;
  readonly memberKey: string;
  /** Signs the project's result callbacks. */
  readonly signingSecret: string;
}

export interface TenantOptions {
  /** Tokens per calendar month. @default the server's quota */
  readonly quota?: number;
  /** An organization that exists: makes a further project of it. */
  readonly organization?: string;
  /** In place of a made one; has to have a key's format and checksum. */
  readonly adminKey?: string;
}

/** A project as the list of organizations shows it. */
export interface TenantView {
  readonly organization: string;
  readonly project: string;
  readonly quota: number;
  readonly createdAt: string;
}

/** Throws unless it is a whole number of at least 0. */
export function checkQuota(quota: number | undefined): void {
  if (quota === undefined || (Number.isSafeInteger(quota) && quota >= 0)) return;
  throw new ControlError('validation_failed', 'quota must be a whole number of at least 0.');
}

export function checkAdminKey(key: string | undefined): void {
  if (key === undefined || isWellFormedKey(key)) return;
  throw new ControlError(
    'validation_failed',
    'adminKey must have the format and the checksum of an API key (cg_test_…).',
  );
}

function organizationFor(context: Context, { organization, quota }: TenantOptions): Organization {
  if (organization === undefined) {
    return createOrganization(context, quota === undefined ? {} : { quota });
  }
  const found = context.store.table('organizations').get(organization);
  if (!found) throw new ControlError('not_found', `No such organization: ${organization}.`);
  if (quota === undefined) return found;
  const changed = { ...found, quota };
  context.store.table('organizations').put(changed);
  return changed;
}

/** Makes a project with an admin and a member key, in an organization of its own unless one is named. */
export function createTenant(context: Context, options: TenantOptions = {}): Tenant {
  checkQuota(options.quota);
  checkAdminKey(options.adminKey);
  return context.store.transaction(() => {
    const organization = organizationFor(context, options);
    const project = createProject(context, organization);
    const { rngStream } = organization;
    const owner = {
      organization: organization.id,
      project: project.id,
      rngStream,
      actor: 'system',
    };
    const issue = (role: Role, material: KeyMaterial): string => {
      createApiKey(context, owner, material, { name: role, role });
      return material.key;
    };
    const { adminKey } = options;
    return {
      organization: organization.id,
      project: project.id,
      adminKey: issue(
        'admin',
        adminKey === undefined ? newKeyMaterial(context, rngStream) : materialOf(context, adminKey),
      ),
      memberKey: issue('member', newKeyMaterial(context, rngStream)),
      signingSecret: project.secrets[0]?.secret ?? '',
    };
  });
}

/** Lets a given key act as admin of a project; nothing happens when it does so already. */
export function importAdminKey(
  context: Context,
  organization: Organization,
  project: string,
  key: string,
): void {
  checkAdminKey(key);
  const material = materialOf(context, key);
  if (context.store.table('apiKeys').find('hash', material.hash)) return;
  const { id, rngStream } = organization;
  const owner = { organization: id, project, rngStream, actor: 'system' };
  context.store.transaction(() =>
    createApiKey(context, owner, material, { name: 'admin', role: 'admin' }),
  );
}

/** Every project, the oldest first, without keys. */
export function listTenants(context: Context): TenantView[] {
  const all = { limit: Number.POSITIVE_INFINITY };
  return context.store
    .table('organizations')
    .oldest(all)
    .sort((a, b) => a.rngStream - b.rngStream)
    .flatMap(({ id, quota }) =>
      context.store
        .table('projects')
        .oldest({ ...all, index: 'organization', key: id })
        .map((project) => ({
          organization: id,
          project: project.id,
          quota,
          createdAt: timestamp(project.createdAt),
        })),
    );
}
