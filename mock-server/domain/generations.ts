import type { Context } from './context.ts';
import { readDirectives } from './directives.ts';
import { logChange } from './event-log.ts';
import { newId, randomPartOfId } from './ids.ts';
import { findOrganization } from './organizations.ts';
import type { Generation } from './records.ts';
import { type Rejection, reject } from './rejection.ts';
import { rejectInvalidUrl } from './url-policy.ts';
import { rejectOverQuota } from './usage.ts';

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
  const id = newId(context, 'gen', rngStream);
  const isStored = context.settings.logBodies;
  if (!isStored) context.live.prompts.set(id, input.prompt);
  const generation: Generation = {
    ...input,
    prompt: isStored ? input.prompt : undefined,
    id,
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
export function checkGeneration(context: Context, input: NewGeneration): Rejection | undefined {
  if (input.webhookUrl !== undefined) {
    const rejected = rejectInvalidUrl(context, input.webhookUrl, 'webhookUrl');
    if (rejected) return rejected;
  }
  if (context.settings.models.includes(input.model)) return undefined;
  const message = `Unknown model. Use one of: ${context.settings.models.join(', ')}.`;
  const errors = [{ pointer: '/model', code: 'invalid_value', message }];
  return reject('model_not_found', message, { errors });
}

/** Undefined once it has ended, and after a restart if prompts are not stored. */
export const promptOf = ({ live }: Context, { id, prompt }: Generation): string | undefined =>
  prompt ?? live.prompts.get(id);

/** How long processing takes: the prompt's `[[delay]]`, or else a time drawn from the seed once per generation. */
export function processingTimeOf(context: Context, generation: Generation): number {
  const { delayMs } = readDirectives(promptOf(context, generation) ?? '');
  if (delayMs !== undefined) return delayMs;
  const { min, max } = context.settings.processingTime;
  if (min === max) return Math.round(min);
  const { rngStream } = findOrganization(context, generation.organization);
  const share = context.ports.random.fractionFor(
    rngStream,
    `processing:${randomPartOfId(generation.id)}`,
  );
  return Math.round(min + share * (max - min));
}
