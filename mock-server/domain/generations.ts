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
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly webhookUrl?: string | undefined;
  readonly delivery: Generation['delivery'];
  /** The `X-Request-Id` of the call. */
  readonly apiRequestId?: string | undefined;
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
    id,
    organization: owner.organization,
    project: owner.project,
    status: 'processing',
    delivery: input.delivery,
    model: input.model,
    prompt: isStored ? input.prompt : undefined,
    maxTokens: input.maxTokens,
    temperature: input.temperature,
    seed: input.seed,
    result: undefined,
    pieces: undefined,
    usage: undefined,
    error: undefined,
    webhookUrl: input.webhookUrl,
    metadata: input.metadata,
    apiRequestId: input.apiRequestId,
    createdAt: now,
    completedAt: undefined,
  };
  context.store.table('generations').put(generation);
  logChange(context, generation, 'generation.accepted', { delivery: input.delivery });
  if (input.delivery === 'callback') {
    const at = now + processingTimeOf(context, generation);
    context.scheduler.schedule('generation.complete', generation.id, at);
  }
  return generation;
}

/** What the end of a generation adds to its row. */
type GenerationEnd = Pick<Generation, 'status' | 'result' | 'pieces' | 'usage' | 'error'>;

/** The row of a generation that has ended. Its prompt is not kept. */
export function endedGeneration(
  row: Generation,
  end: GenerationEnd,
  completedAt: number,
): Generation {
  // A literal costs a quarter of a spread, and allocates no spare capacity.
  return {
    id: row.id,
    organization: row.organization,
    project: row.project,
    status: end.status,
    delivery: row.delivery,
    model: row.model,
    prompt: undefined,
    maxTokens: row.maxTokens,
    temperature: row.temperature,
    seed: row.seed,
    result: end.result,
    pieces: end.pieces,
    usage: end.usage,
    error: end.error,
    webhookUrl: row.webhookUrl,
    metadata: row.metadata,
    apiRequestId: row.apiRequestId,
    createdAt: row.createdAt,
    completedAt,
  } satisfies Record<keyof Generation, unknown>;
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
