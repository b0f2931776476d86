import type { Context } from '../../domain/context.ts';
import { failInterrupted } from '../../domain/run-generation.ts';
import { assertArgument } from '../arguments.ts';
import {
  importAdminKey,
  type Organization,
  type OrganizationOptions,
  openOrganization,
  organizationsOf,
  signingSecretOf,
} from './organizations.ts';

/** Known only to those who created or imported them. */
type Keys = Pick<Organization, 'adminKey' | 'memberKey'>;

/** Creates the server's own organization, or takes over the one that the store already holds. */
export function openFirstOrganization(
  context: Context,
  { adminKey }: Pick<OrganizationOptions, 'adminKey'>,
): { readonly organization: Organization; readonly resumed: boolean } {
  const resumed = context.store.table('organizations').count() > 0;
  const first = resumed
    ? resumeOrganization(context, adminKey)
    : openOrganization(context, adminKey === undefined ? {} : { adminKey });
  return { resumed, organization: currentOrganization(context, first) };
}

/**
 * The first organization as the store has it at each read: its secret can be rotated, and after the snapshot of another
 * server was restored, its organization and project are those of that server.
 */
function currentOrganization(context: Context, first: Keys & Home): Organization {
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

type Home = Pick<Organization, 'organization' | 'project'>;

function findHome(context: Context): Home | undefined {
  const [organization] = organizationsOf(context);
  const project =
    organization && context.store.table('projects').find('organization', organization.id);
  return project && { organization: project.organization, project: project.id };
}

/** Keys that an earlier process issued are lost, because only their hashes are stored. */
function resumeOrganization(context: Context, adminKey: string | undefined): Keys & Home {
  const home = findHome(context);
  const message = 'Failed to resume: the store holds no project. Start with an empty store.';
  assertArgument(home !== undefined, message);
  context.scheduler.recover();
  context.store.transaction(failInterrupted(context));
  if (adminKey !== undefined) importAdminKey(context, home, adminKey);
  return { ...home, adminKey: adminKey ?? '', memberKey: '' };
}
