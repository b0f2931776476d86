import { closePeriod } from './billing.ts';
import type { Context } from './context.ts';
import { createAttemptHandler } from './delivery/index.ts';
import { completeGeneration } from './generations.ts';
import type { JobKind } from './records.ts';
import type { Commit, JobHandler } from './scheduler.ts';

/** Does not compile while a kind of job has no handler. `sweep` is the gateway's. */
export function jobHandlers(
  context: Context,
  sweep: (ref: string) => Commit,
): { readonly [Kind in JobKind]: JobHandler } {
  return {
    'generation.complete': completeGeneration(context),
    'delivery.attempt': createAttemptHandler(context),
    'usage.period_end': (job) => closePeriod(context, job.ref),
    'idempotency.sweep': (job) => sweep(job.ref),
  };
}
