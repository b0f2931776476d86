import type { World } from './context.ts';
import { enqueueDelivery } from './delivery/queue.ts';
import { logChange } from './event-log.ts';
import { newId } from './ids.ts';
import { findOrganization } from './organizations.ts';
import type { Json } from './ports.ts';
import type { Generation } from './records.ts';
import { type Refusal, refuse, refuseField } from './rejection.ts';
import { type Outcome, processingTimeOf, runGeneration } from './run-generation.ts';
import type { Commit, JobHandler } from './scheduler.ts';
import { countUsage, refuseOverQuota } from './usage.ts';
import { refuseUrl } from './webhooks.ts';

export interface NewGeneration {
  readonly prompt: string;
  readonly model: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly seed?: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly webhookUrl?: string;
  readonly delivery: Generation['delivery'];
}

/** Records it as `processing`; one with a callback goes on the clock. */
export function acceptGeneration(
  world: World,
  owner: { organization: string; project: string },
  input: NewGeneration,
): Generation | Refusal {
  const refused = refuseOverQuota(world, owner.organization);
  if (refused) return refused;
  const { ordinal } = findOrganization(world, owner.organization);
  const now = world.ports.clock.now();
  const generation: Generation = {
    ...input,
    id: newId(world, 'gen', ordinal),
    organization: owner.organization,
    project: owner.project,
    status: 'processing',
    createdAt: now,
  };
  world.store.table('generations').put(generation);
  logChange(world, generation, 'generation.accepted', { delivery: input.delivery });
  if (input.delivery === 'callback') {
    const at = now + processingTimeOf(world, generation);
    world.scheduler.schedule('generation.complete', generation.id, at);
  }
  return generation;
}

/** What can be told of a request before anything is written. */
export function checkGeneration(
  world: World,
  input: NewGeneration,
  webhookUrlField: string,
): Refusal | undefined {
  if (input.webhookUrl !== undefined) {
    const refused = refuseUrl(world, input.webhookUrl, webhookUrlField);
    if (refused) return refused;
  }
  if (world.settings.models.includes(input.model)) return undefined;
  const message = `Unknown model. Use one of: ${world.settings.models.join(', ')}.`;
  return {
    ...refuseField('/model', 'invalid_value', message),
    refused: 'model_not_found',
    detail: message,
  };
}

/** The job of an asynchronous generation. */
export function completeGeneration(world: World): JobHandler {
  return async (job, { signal }) => {
    const generation = world.store.table('generations').get(job.ref);
    if (generation?.status !== 'processing') return undefined;
    const outcome = await runGeneration(world, generation, signal);
    return () => {
      finishGeneration(world, generation.id, outcome);
    };
  };
}

/** Moves it out of `processing`, counts usage and queues the callback; any other state stays as it is. */
export function finishGeneration(world: World, id: string, outcome: Outcome): Generation {
  const table = world.store.table('generations');
  const generation = table.get(id);
  if (!generation) throw new Error(`Failed to finish generation ${id}: no such row.`);
  if (generation.status !== 'processing') return generation;
  const done: Generation = { ...generation, ...outcome, completedAt: world.ports.clock.now() };
  table.put(done);
  if (done.usage) countUsage(world, done.organization, done.usage.totalTokens);
  logChange(world, done, `generation.${done.status}`, {
    ...(done.usage && { totalTokens: done.usage.totalTokens }),
    ...(done.error && { code: done.error.code }),
  });
  if (done.webhookUrl !== undefined) queueCallback(world, done, done.webhookUrl);
  return done;
}

function queueCallback(world: World, generation: Generation, url: string): void {
  const { id, organization, project, status, model, result, usage, error, metadata } = generation;
  const payload: { [key: string]: Json } = { requestId: id, status, model };
  if (result !== undefined) payload['result'] = result;
  if (usage) payload['usage'] = { ...usage };
  if (error) payload['error'] = { ...error };
  if (metadata) payload['metadata'] = { ...metadata };
  enqueueDelivery(world, {
    organization,
    project,
    stream: findOrganization(world, organization).ordinal,
    requestId: id,
    url,
    event: status === 'completed' ? 'generation_completed' : 'generation_failed',
    payload,
  });
}

/** Only from `processing`; aborts the generator, posts no callback. */
export function cancelGeneration(world: World, generation: Generation): Generation | Refusal {
  if (generation.status !== 'processing') {
    return refuse(
      'invalid_state',
      `The generation is ${generation.status}; only a processing one can be canceled.`,
    );
  }
  const canceled: Generation = {
    ...generation,
    status: 'canceled',
    completedAt: world.ports.clock.now(),
  };
  world.store.table('generations').put(canceled);
  logChange(world, canceled, 'generation.canceled', {});
  world.scheduler.cancel(generation.id);
  return canceled;
}

/** After a restart: what was being answered when the process ended can be answered no more. */
export function failInterrupted(world: World): Commit {
  return () => {
    const query = { index: 'interrupted', key: 'yes', limit: Number.POSITIVE_INFINITY };
    for (const { id } of world.store.table('generations').oldest(query)) {
      finishGeneration(world, id, {
        status: 'failed',
        error: { code: 'generation_failed', message: 'The service stopped while generating.' },
      });
    }
  };
}
