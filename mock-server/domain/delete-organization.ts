import type { Context } from './context.ts';
import { appendEvent } from './event-log.ts';
import type { TableName } from './records.ts';

const ALL_ROWS = { limit: Number.POSITIVE_INFINITY };

/** Tables whose rows name their organization. */
const OWNED = [
  'apiKeys',
  'generations',
  'webhooks',
  'deliveries',
  'usage',
  'invoices',
  'events',
  'requests',
  'faults',
  'projects',
] as const satisfies readonly TableName[];
/** Tables whose ids or keys start with a project, a registration or the organization. */
const DERIVED = [
  'idempotency',
  'thresholdMarks',
  'buckets',
] as const satisfies readonly TableName[];

/** Deletes an organization and everything in it. Its work in flight is aborted, and nothing more is delivered. */
export function deleteOrganization(context: Context, organization: string): void {
  const { store, scheduler } = context;
  const owners: string[] = [organization];
  for (const name of OWNED) {
    const table = store.table(name);
    for (const row of table.oldest(ALL_ROWS)) {
      if (row.organization !== organization) continue;
      scheduler.cancel(row.id);
      table.delete(row.id);
      if (name === 'projects' || name === 'webhooks') owners.push(row.id);
    }
  }
  const belongs = (text: string) => owners.some((owner) => text.startsWith(`${owner}:`));
  for (const name of DERIVED) {
    const table = store.table(name);
    for (const row of table.oldest(ALL_ROWS)) {
      if (belongs('key' in row ? row.key : row.id)) table.delete(row.id);
    }
  }
  store.table('counters').delete(`invoices:${organization}`);
  store.table('organizations').delete(organization);
  appendEvent(context, { type: 'organization.deleted', subject: organization });
}
