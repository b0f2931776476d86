import { closePeriod } from './billing.ts';
import type { World } from './context.ts';
import { createAttemptHandler } from './delivery/index.ts';
import { completeGeneration } from './generations.ts';
import type { JobKind } from './records.ts';
import type { Commit, JobHandler } from './scheduler.ts';

/** Does not compile while a kind of job has no handler. `sweep` is the gateway's. */
export function jobHandlers(
  world: World,
  sweep: (ref: string) => Commit,
): { readonly [Kind in JobKind]: JobHandler } {
  return {
    'generation.complete': completeGeneration(world),
    'delivery.attempt': createAttemptHandler(world),
    'usage.period_end': (job) => closePeriod(world, job.ref),
    'idempotency.sweep': (job) => sweep(job.ref),
  };
}
