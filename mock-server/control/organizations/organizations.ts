import {
  createApiKey,
  type KeyMaterial,
  keyRule,
  materialOf,
  newKeyMaterial,
  statusOf,
} from '../../domain/api-keys.ts';
import type { Context } from '../../domain/context.ts';
import { count, type OptionRules, text } from '../../domain/options.ts';
import { createOrganization, createProject, findOrganization } from '../../domain/organizations.ts';
import type { Organization as OrganizationRow, Project, Role } from '../../domain/records.ts';
import { assertArgument, assertArguments, notFound } from '../arguments.ts';

/** An organization, an isolated customer of the service: a project of it, with its keys. */
export interface Organization {
  /** Identifier of the organization. */
  readonly organization: string;
  /** Identifier of the project. */
  readonly project: string;
  /** The key issued with the project, even if revoked since. Only available here: the server stores its hash. */
  readonly adminKey: string;
  /** The key issued with the project, even if revoked since. Only available here: the server stores its hash. */
  readonly memberKey: string;
  /**
   * Signs the result callbacks of the project. Each read returns the current secret, which a rotation, `reset` or
   * `restore` can change; it is empty once the project is deleted. Keep it in a variable to have the previous one.
   */
  readonly signingSecret: string;
}

/** What a new organization starts with. */
export interface OrganizationOptions {
  /** Tokens per calendar month. @default the server's quota */
  readonly quota?: number;
  /** Id of an existing organization, which gets another project. @default a new organization */
  readonly organization?: string;
  /** Must have the format and checksum of an API key. @default a generated key */
  readonly adminKey?: string;
}

export const organizationRules = { organization: text };

const creationRules: OptionRules<OrganizationOptions> = {
  quota: count,
  organization: text,
  adminKey: keyRule,
};

/** Creates a project with an admin key and a member key, in a new organization unless `options` names one. */
export function openOrganization(
  context: Context,
  options: OrganizationOptions = {},
): Organization {
  assertArguments('Failed to create the organization', options, creationRules);
  return context.store.transaction(() => {
    const organization = organizationFor(context, options);
    const project = createProject(context, organization);
    const { rngStream } = organization;
    const { adminKey } = options;
    const adminMaterial =
      adminKey === undefined ? newKeyMaterial(context, rngStream) : materialOf(context, adminKey);
    return {
      organization: organization.id,
      project: project.id,
      adminKey: issueKey(context, organization, project.id, 'admin', adminMaterial),
      memberKey: issueKey(
        context,
        organization,
        project.id,
        'member',
        newKeyMaterial(context, rngStream),
      ),
      get signingSecret() {
        return signingSecretOf(context.store.table('projects').get(project.id));
      },
    };
  });
}

/** Makes a given key an admin key of a project, unless the server knows it already. */
export function importAdminKey(
  context: Context,
  { organization, project }: Pick<Organization, 'organization' | 'project'>,
  key: string,
): void {
  const problem = keyRule(key);
  assertArgument(problem === undefined, `Failed to import the admin key: adminKey ${problem}`);
  const material = materialOf(context, key);
  if (context.store.table('apiKeys').find('hash', material.hash)) return;
  const owner = findOrganization(context, organization);
  context.store.transaction(() => issueKey(context, owner, project, 'admin', material));
}

export function organizationsOf(context: Context): OrganizationRow[] {
  const organizations = context.store.table('organizations').oldest();
  return organizations.sort((a, b) => a.rngStream - b.rngStream);
}

export function signingSecretOf(project: Project | undefined): string {
  return project?.secrets[0]?.secret ?? '';
}

function organizationFor(
  context: Context,
  { organization, quota }: OrganizationOptions,
): OrganizationRow {
  if (organization === undefined) {
    return createOrganization(context, quota === undefined ? {} : { quota });
  }
  const organizations = context.store.table('organizations');
  const found = organizations.get(organization);
  if (!found) throw notFound('organization', organization);
  if (quota === undefined) return found;
  const changed = { ...found, quota };
  organizations.put(changed);
  return changed;
}

function issueKey(
  context: Context,
  { id, rngStream }: OrganizationRow,
  project: string,
  role: Role,
  material: KeyMaterial,
): string {
  const owner = { organization: id, project, rngStream, actor: 'system' };
  createApiKey(context, owner, material, { name: role, role });
  return material.key;
}

/** The key, unless it is unknown or was revoked. */
export function usableKey({ store, ports }: Context, key: string): string | undefined {
  const row = store.table('apiKeys').find('hash', ports.digest(key));
  return row && statusOf(row, ports.clock.now()) === 'active' ? key : undefined;
}
