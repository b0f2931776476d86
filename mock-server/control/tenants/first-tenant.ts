import type { Context } from '../../domain/context.ts';
import { failInterrupted } from '../../domain/run-generation.ts';
import {
  createTenant,
  importAdminKey,
  organizationsOf,
  signingSecretOf,
  type Tenant,
  type TenantOptions,
} from './tenants.ts';

/** Known only to those who created or imported them. */
type TenantKeys = Pick<Tenant, 'adminKey' | 'memberKey'>;

/** Creates the server's own tenant, or takes over the one that the store already holds. */
export function openFirstTenant(
  context: Context,
  { adminKey }: Pick<TenantOptions, 'adminKey'>,
): { readonly tenant: Tenant; readonly resumed: boolean } {
  const resumed = context.store.table('organizations').count() > 0;
  const first = resumed
    ? resumeTenant(context, adminKey)
    : createTenant(context, adminKey === undefined ? {} : { adminKey });
  return { resumed, tenant: currentTenant(context, first) };
}

/**
 * The first tenant as the store has it at each read: its secret can be rotated, and after the snapshot of another
 * server was restored, its organization and project are those of that server.
 */
function currentTenant(context: Context, first: TenantKeys & Home): Tenant {
  const projects = context.store.table('projects');
  const home = (): Home => (projects.get(first.project) ? first : findHome(context)) ?? first;
  return {
    adminKey: first.adminKey,
    memberKey: first.memberKey,
    get organization() {
      return home().organization;
    },
    get project() {
      return home().project;
    },
    get signingSecret() {
      return signingSecretOf(projects.get(home().project));
    },
  };
}

type Home = Pick<Tenant, 'organization' | 'project'>;

/** The first project of the first organization. */
function findHome(context: Context): Home | undefined {
  const [organization] = organizationsOf(context);
  const project =
    organization && context.store.table('projects').find('organization', organization.id);
  return project && { organization: project.organization, project: project.id };
}

/** Keys that an earlier process issued are lost, because only their hashes are stored. */
function resumeTenant(context: Context, adminKey: string | undefined): TenantKeys & Home {
  const home = findHome(context);
  if (!home) {
    throw new Error('Failed to resume: the store holds no project. Start with an empty store.');
  }
  context.scheduler.recover();
  context.store.transaction(failInterrupted(context));
  if (adminKey !== undefined) importAdminKey(context, home, adminKey);
  return { ...home, adminKey: adminKey ?? '', memberKey: '' };
}
