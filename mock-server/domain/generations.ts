import type { Context } from './context.ts';
import { enqueueDelivery } from './delivery/queue.ts';
import { logChange } from './event-log.ts';
import { newId } from './ids.ts';
import type { Commit, JobHandler } from './job-runner.ts';
import { findOrganization } from './organizations.ts';
import { timestamp } from './periods.ts';
import type { Generation, Json } from './records.ts';
import { type Rejection, reject } from './rejection.ts';
import { limitGenerations } from './retention.ts';
import { type Outcome, processingTimeOf, runGeneration } from './run-generation.ts';
import { countUsage, rejectOverQuota } from './usage.ts';
import { rejectInvalidUrl } from './webhooks.ts';

export interface NewGeneration {
  readonly prompt: string;
  readonly model: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly seed?: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly webhookUrl?: string;
  readonly delivery: Generation['delivery'];
  /** The `X-Request-Id` of the call. */
  readonly apiRequestId?: string;
}

/** Records a generation as `processing`. If it has a callback, a job completes it later. */
export function acceptGeneration(
  context: Context,
  owner: { organization: string; project: string },
  input: NewGeneration,
): Generation | Rejection {
  const rejected = rejectOverQuota(context, owner.organization);
  if (rejected) return rejected;
  const { rngStream } = findOrganization(context, owner.organization);
  const now = context.ports.clock.now();
  const generation: Generation = {
    ...input,
    id: newId(context, 'gen', rngStream),
    organization: owner.organization,
    project: owner.project,
    status: 'processing',
    createdAt: now,
  };
  context.store.table('generations').put(generation);
  logChange(context, generation, 'generation.accepted', { delivery: input.delivery });
  if (input.delivery === 'callback') {
    const at = now + processingTimeOf(context, generation);
    context.scheduler.schedule('generation.complete', generation.id, at);
  }
  return generation;
}

/** Checks a request as far as is possible before anything is written. */
export function checkGeneration(
  context: Context,
  input: NewGeneration,
  webhookUrlField: string,
): Rejection | undefined {
  if (input.webhookUrl !== undefined) {
    const rejected = rejectInvalidUrl(context, input.webhookUrl, webhookUrlField);
    if (rejected) return rejected;
  }
  if (context.settings.models.includes(input.model)) return undefined;
  const message = `Unknown model. Use one of: ${context.settings.models.join(', ')}.`;
  const errors = [{ pointer: '/model', code: 'invalid_value', message }];
  return reject('model_not_found', message, { errors });
}

/** The job of an asynchronous generation. */
export function completeGeneration(context: Context): JobHandler {
  return async (job, signal) => {
    const generation = context.store.table('generations').get(job.ref);
    if (generation?.status !== 'processing') return undefined;
    const outcome = await runGeneration(context, generation, signal);
    return () => {
      finishGeneration(context, generation.id, outcome);
    };
  };
}

/**
 * Ends a generation that is `processing`: records the outcome, counts usage and queues the callback. In any other
 * state, it stays as it is.
 */
export function finishGeneration(context: Context, id: string, outcome: Outcome): Generation {
  const table = context.store.table('generations');
  const generation = table.get(id);
  if (!generation) throw new Error(`Failed to finish generation ${id}: it does not exist.`);
  if (generation.status !== 'processing') return generation;
  const done: Generation = { ...generation, ...outcome, completedAt: context.ports.clock.now() };
  table.put(done);
  if (done.usage) countUsage(context, done.organization, done.usage.totalTokens);
  logChange(context, done, `generation.${done.status}`, {
    ...(done.usage && { totalTokens: done.usage.totalTokens }),
    ...(done.error && { code: done.error.code, message: done.error.message }),
  });
  if (done.webhookUrl !== undefined) queueCallback(context, done, done.webhookUrl);
  limitGenerations(context);
  return done;
}

function queueCallback(context: Context, generation: Generation, url: string): void {
  const { id, organization, project, status, model, result, usage, error, metadata, completedAt } =
    generation;
  const payload: { [key: string]: Json } = { requestId: id, status, model };
  if (result !== undefined) payload['result'] = result;
  if (usage) payload['usage'] = { ...usage };
  if (error) payload['error'] = { ...error };
  if (metadata) payload['metadata'] = { ...metadata };
  if (completedAt !== undefined) payload['completedAt'] = timestamp(completedAt);
  enqueueDelivery(context, {
    organization,
    project,
    rngStream: findOrganization(context, organization).rngStream,
    requestId: id,
    url,
    event: status === 'completed' ? 'generation_completed' : 'generation_failed',
    payload,
  });
}

/** Cancels a generation that is `processing`: aborts the generator and sends no callback. */
export function cancelGeneration(context: Context, generation: Generation): Generation | Rejection {
  if (generation.status !== 'processing') {
    return reject(
      'invalid_state',
      `The generation is ${generation.status}; only one that is processing can be canceled.`,
    );
  }
  const canceled: Generation = {
    ...generation,
    status: 'canceled',
    completedAt: context.ports.clock.now(),
  };
  context.store.table('generations').put(canceled);
  logChange(context, canceled, 'generation.canceled', {});
  context.scheduler.cancel(generation.id);
  limitGenerations(context);
  return canceled;
}

/** After a restart: fails the generations whose caller was waiting for the response when the process ended. */
export function failInterrupted(context: Context): Commit {
  return () => {
    const query = { index: 'interrupted', key: 'yes', limit: Number.POSITIVE_INFINITY };
    for (const { id } of context.store.table('generations').oldest(query)) {
      finishGeneration(context, id, {
        status: 'failed',
        error: { code: 'generation_failed', message: 'The service stopped during the generation.' },
      });
    }
  };
}
