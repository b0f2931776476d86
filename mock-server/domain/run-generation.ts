import type { Context } from './context.ts';
import { CHARACTERS_PER_TOKEN, countTokens, GenerationFailure } from './default-generator.ts';
import { enqueueDelivery } from './deliveries.ts';
import { logChange } from './event-log.ts';
import { endedGeneration, processingTimeOf, promptOf } from './generations.ts';
import { HeldFailure, heldGenerator } from './held-generation.ts';
import type { Commit, JobHandler, Run } from './job-runner.ts';
import { onAbort } from './listeners.ts';
import { findOrganization } from './organizations.ts';
import { timestamp } from './periods.ts';
import type { GeneratorUsage } from './ports.ts';
import type { Generation, Json, TokenUsage } from './records.ts';
import { type Rejection, reject } from './rejection.ts';
import { countUsage } from './usage.ts';

/** The job of an asynchronous generation. */
export function completeGeneration(context: Context): JobHandler {
  return async (job, run) => {
    const generation = context.store.table('generations').get(job.ref);
    if (generation?.status !== 'processing') return undefined;
    const outcome = await runGeneration(context, generation, run);
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
  const done = endedGeneration(generation, outcome, context.ports.clock.now());
  context.live.prompts.delete(id);
  table.put(done);
  context.history.generationEnded(done);
  if (done.usage) countUsage(context, done.organization, done.usage.totalTokens);
  const facts =
    outcome.status === 'completed' ? { totalTokens: outcome.usage.totalTokens } : outcome.error;
  logChange(context, done, `generation.${done.status}`, facts);
  if (done.webhookUrl !== undefined) queueCallback(context, done, done.webhookUrl);
  context.live.changed(id);
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
  const pieces = context.live.end(generation.id);
  const end = { status: 'canceled', pieces } as const;
  const canceled = endedGeneration(generation, end, context.ports.clock.now());
  context.live.prompts.delete(generation.id);
  context.store.table('generations').put(canceled);
  context.history.generationEnded(canceled);
  logChange(context, canceled, 'generation.canceled', {});
  context.scheduler.cancel(generation.id);
  context.live.changed(generation.id);
  return canceled;
}

const stopped: Failed = {
  status: 'failed',
  error: { code: 'generation_failed', message: 'The service stopped during the generation.' },
};

/** After a restart: fails the generations whose caller was waiting for the response when the process ended. */
export function failInterrupted(context: Context): Commit {
  return () => {
    const query = { index: 'interrupted', key: 'yes', limit: Number.POSITIVE_INFINITY };
    for (const { id } of context.store.table('generations').oldest(query)) {
      finishGeneration(context, id, stopped);
    }
  };
}

/** How many pieces of a stream are spread over the processing time; the rest follow without a pause. */
const PACED_PIECES = 40;

interface Completed {
  readonly status: 'completed';
  readonly result: string;
  readonly usage: TokenUsage;
}

interface Failed {
  readonly status: 'failed';
  readonly error: { readonly code: string; readonly message: string };
}

export type Outcome = (Completed | Failed) & {
  /** Lengths of the pieces, if anybody has followed them. */
  readonly pieces?: readonly number[];
};

/** Awaits work, but rejects with the signal's reason when it aborts: a generator might never settle. */
function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason));
    void Promise.resolve(work).then(resolve, reject).finally(stopListening);
  });
}

/** Collects pieces up to a limit of tokens. */
function tokenBudget(limit: number) {
  const most = limit * CHARACTERS_PER_TOKEN;
  let text = '';
  return {
    text: () => text,
    /** Adds a piece and returns the part of it within the limit. */
    take(piece: string): string {
      const taken = cutTo(piece, most - text.length);
      text += taken;
      return taken;
    },
  };
}

/** Cuts a text to at most this many UTF-16 units, without splitting a character. */
function cutTo(text: string, length: number): string {
  if (text.length <= length) return text;
  const splits = /[\ud800-\udbff]/.test(text[length - 1] ?? '');
  return text.slice(0, splits ? length - 1 : length);
}

/**
 * Runs the generator up to `maxTokens` and counts the tokens. If the generator throws, the outcome is `failed`; the
 * promise rejects only when the signal aborts.
 */
export async function runGeneration(
  context: Context,
  generation: Generation,
  run: Run,
): Promise<Outcome> {
  const { signal } = run;
  const { pause } = context.ports;
  const { live, holds } = context;
  const { id, model, maxTokens, temperature, seed, delivery } = generation;
  const prompt = promptOf(context, generation);
  if (prompt === undefined) return stopped;
  const streams = delivery === 'stream';
  const hold = holds.detach(id);
  const generate = hold ? heldGenerator(context, hold, run) : context.ports.generate;
  const waits = delivery === 'callback' || hold ? 0 : processingTimeOf(context, generation);
  const pace = streams ? waits / PACED_PIECES : 0;

  const budget = tokenBudget(maxTokens);
  let counted: GeneratorUsage | undefined;
  const text = live.start(id);
  try {
    if (waits > 0 && !streams) await pause(waits, signal);
    const input = {
      prompt,
      model,
      maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && { seed }),
    };
    const pieces = iteratorOf(generate(input, { signal }));
    for (let number = 0; ; number += 1) {
      if (pace > 0 && number < PACED_PIECES) await pause(pace, signal);
      const step = pieces.next();
      // Readers get each piece in a separate turn of the event loop.
      const inTurns = streams || text.isFollowed();
      const next = inTurns || 'then' in step ? await untilAborted(step, signal) : step;
      if (next.done) {
        counted = readUsage(next.value);
        break;
      }
      const piece = String(next.value);
      const taken = budget.take(piece);
      if (taken !== '') text.add(taken);
      if (taken !== piece) {
        void Promise.resolve(pieces.return?.()).catch(() => {});
        break;
      }
    }
    const lengths = live.end(id);
    const completed = outcomeOf(context, generation, budget.text(), counted);
    return lengths ? { ...completed, pieces: lengths } : completed;
  } catch (error) {
    signal.throwIfAborted();
    const lengths = live.end(id);
    const failed: Failed = { status: 'failed', error: problemOf(error) };
    return lengths ? { ...failed, pieces: lengths } : failed;
  } finally {
    live.end(id);
    live.changed(id);
  }
}

function problemOf(error: unknown): Failed['error'] {
  if (error instanceof HeldFailure) return { code: error.code, message: error.message };
  const message =
    error instanceof GenerationFailure ? error.message : 'The model failed to generate a result.';
  return { code: 'generation_failed', message };
}

type Pieces = Iterator<string> | AsyncIterator<string>;

const iteratorOf = (pieces: AsyncIterable<string> | Iterable<string>): Pieces =>
  Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();

/** What a generator returned at its end, if it is a count of tokens. */
function readUsage(value: unknown): GeneratorUsage | undefined {
  const { promptTokens, completionTokens } = Object(value) as Partial<GeneratorUsage>;
  const valid = [promptTokens, completionTokens].every(
    (count) => Number.isSafeInteger(count) && (count as number) >= 0,
  );
  return valid ? (value as GeneratorUsage) : undefined;
}

/** A completed generation with this text. Without `counted`, the server counts the tokens itself. */
export function outcomeOf(
  context: Context,
  generation: Generation,
  result: string,
  counted?: GeneratorUsage,
): Completed {
  const { maxTokens } = generation;
  const prompt = counted?.promptTokens ?? countTokens(promptOf(context, generation) ?? '');
  const promptTokens = Math.max(1, prompt);
  const completion = counted?.completionTokens ?? countTokens(result);
  const completionTokens = Math.min(maxTokens, Math.max(1, completion));
  const totalTokens = promptTokens + completionTokens;
  return { status: 'completed', result, usage: { totalTokens, promptTokens, completionTokens } };
}
