import type { Context } from './context.ts';
import type { Commit } from './job-runner.ts';
import type { Table } from './ports.ts';
import { dropGeneration } from './run-generation.ts';

/** Reference of the job that drops what is too old. */
const ALL = 'retention';
const PAGE = 500;
/** Between two runs of the job, so that a stream of short-lived rows does not keep it busy. */
const INTERVAL_MS = 60_000;

/** Schedules the job that drops what is too old, unless there is one or nothing becomes too old. */
export function startRetention(context: Context): void {
  const { age } = context.settings.retention;
  const jobs = context.store.table('jobs');
  if (age === undefined || jobs.find('ref', ALL)) return;
  context.scheduler.schedule('retention.sweep', ALL, context.ports.clock.now() + INTERVAL_MS);
}

/** The job: drops what is too old, and schedules itself again. `dropRequests` drops entries of the request log. */
export function sweepRetention(
  context: Context,
  dropRequests: (before: number) => void,
): Commit | undefined {
  const { age } = context.settings.retention;
  if (age === undefined) return undefined;
  return () => {
    const { clock } = context.ports;
    const before = clock.now() - age;
    const { store } = context;
    const finished = { index: 'finished', key: 'yes' };
    for (const { id } of olderThan(store.table('generations'), before, finished, endOf)) {
      dropGeneration(context, id);
    }
    const deliveries = store.table('deliveries');
    const lastTry = (row: { createdAt: number; attempts: readonly { at: number }[] }) =>
      row.attempts.at(-1)?.at ?? row.createdAt;
    for (const { id } of olderThan(deliveries, before, finished, lastTry)) deliveries.delete(id);
    const events = store.table('events');
    for (const { id } of olderThan(events, before, {}, ({ at }) => at)) events.delete(id);
    dropRequests(before);
    context.scheduler.schedule('retention.sweep', ALL, clock.now() + INTERVAL_MS);
  };
}

const endOf = (row: { readonly createdAt: number; readonly completedAt?: number }): number =>
  row.completedAt ?? row.createdAt;

/** The rows from before a time, which are the oldest: the search ends at a page of newer rows. */
function olderThan<Row extends { readonly id: string }>(
  table: Table<Row>,
  before: number,
  query: { readonly index?: string; readonly key?: string },
  timeOf: (row: Row) => number,
): Row[] {
  const found: Row[] = [];
  for (let after: string | undefined; ; ) {
    const page = table.oldest({ ...query, limit: PAGE, ...(after !== undefined && { after }) });
    const old = page.filter((row) => timeOf(row) < before);
    found.push(...old);
    after = page.at(-1)?.id;
    if (old.length === 0 || page.length < PAGE) return found;
  }
}
