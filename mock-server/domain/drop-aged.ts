import type { Context } from './context.ts';
import type { Commit } from './job-runner.ts';

/** Reference of the job that drops what is too old. */
const ALL = 'retention';
/** Between two runs of the job, so that a stream of short-lived rows does not keep it busy. */
const INTERVAL_MS = 60_000;

/** Schedules the job that drops what is too old, unless there is one or nothing becomes too old. */
export function startRetention(context: Context): void {
  const { age } = context.settings.retention;
  if (age === undefined || context.store.table('jobs').find('ref', ALL)) return;
  context.scheduler.schedule('retention.sweep', ALL, context.ports.clock.now() + INTERVAL_MS);
}

/** The job: drops what is too old, and schedules itself again. */
export function sweepRetention(context: Context): Commit | undefined {
  const { age } = context.settings.retention;
  if (age === undefined) return undefined;
  return () => {
    const now = context.ports.clock.now();
    context.history.dropBefore(now - age);
    context.scheduler.schedule('retention.sweep', ALL, now + INTERVAL_MS);
  };
}
