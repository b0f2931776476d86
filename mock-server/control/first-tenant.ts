import type { Context } from '../domain/context.ts';
import { failInterrupted } from '../domain/generations.ts';
import {
  createTenant,
  importAdminKey,
  organizationsOf,
  signingSecretOf,
  type Tenant,
} from './tenants.ts';

/** Creates the server's own tenant, or takes over the one that a durable store already holds. */
export function openFirstTenant(
  context: Context,
  adminKey: string | undefined,
): { readonly tenant: Tenant; readonly resumed: boolean } {
  const resumed = context.store.table('organizations').count() > 0;
  if (resumed) return { resumed, tenant: resumeTenant(context, adminKey) };
  return { resumed, tenant: createTenant(context, adminKey === undefined ? {} : { adminKey }) };
}

/** The plaintext keys of the earlier process are lost: only their hashes are stored. */
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
