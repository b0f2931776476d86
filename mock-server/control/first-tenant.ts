import type { Context } from '../domain/context.ts';
import { failInterrupted } from '../domain/run-generation.ts';
import { addSeedData } from './add-seed-data.ts';
import { addExamples, exampleHome } from './example-data.ts';
import { organizationsOfSeed, type SeedData } from './seed-data.ts';
import {
  createTenant,
  importAdminKey,
  organizationsOf,
  signingSecretOf,
  type Tenant,
} from './tenants.ts';

export interface FirstTenantOptions {
  readonly adminKey?: string;
  readonly examples?: boolean;
  readonly seedData?: SeedData;
}

/**
 * Creates the server's own tenant with the records that the options ask for, or takes over the one that a durable store
 * already holds.
 */
export function openFirstTenant(
  context: Context,
  options: FirstTenantOptions,
): { readonly tenant: Tenant; readonly resumed: boolean } {
  const resumed = context.store.table('organizations').count() > 0;
  const tenant = resumed ? resumeTenant(context, options.adminKey) : newTenant(context, options);
  return { resumed, tenant };
}

function newTenant(context: Context, options: FirstTenantOptions): Tenant {
  const { adminKey, examples, seedData = {} } = options;
  const [seed] = organizationsOfSeed(seedData);
  const { quota, id, project, signingSecret } = { ...(examples && exampleHome), ...seed };
  return context.store.transaction(() => {
    const tenant = createTenant(
      context,
      { ...(adminKey !== undefined && { adminKey }), ...(quota !== undefined && { quota }) },
      {
        ...(id !== undefined && { id }),
        ...(project !== undefined && { project }),
        ...(signingSecret !== undefined && { signingSecret }),
      },
    );
    if (examples) addExamples(context, tenant);
    addSeedData(context, tenant, seedData);
    return tenant;
  });
}

/** The keys of the earlier process are lost, because only their hashes are stored. */
function resumeTenant(context: Context, adminKey: string | undefined): Tenant {
  const [first] = organizationsOf(context);
  const project = first && context.store.table('projects').find('organization', first.id);
  if (!first || !project) {
    throw new Error('Failed to resume: the store holds no project. Start with an empty store.');
  }
  context.scheduler.recover();
  context.store.transaction(failInterrupted(context));
  if (adminKey !== undefined) importAdminKey(context, first, project.id, adminKey);
  return {
    organization: first.id,
    project: project.id,
    adminKey: adminKey ?? '',
    memberKey: '',
    signingSecret: signingSecretOf(project),
  };
}
