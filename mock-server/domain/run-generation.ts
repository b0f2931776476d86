import type { Context } from './context.ts';
import { GenerationFailure, readDirectives } from './default-generator.ts';
import { onAbort } from './on-abort.ts';
import { findOrganization } from './organizations.ts';
import type { GeneratorUsage } from './ports.ts';
import type { Generation, TokenUsage } from './records.ts';

/** How many pieces of a stream are spread over the processing time; the rest follow without a pause. */
const PACED_PIECES = 40;
/** The most bytes that one UTF-16 unit takes in UTF-8; no tokenizer makes more tokens of it. */
const MOST_TOKENS_PER_UNIT = 3;

export type Outcome =
  | { readonly status: 'completed'; readonly result: string; readonly usage: TokenUsage }
  | {
      readonly status: 'failed';
      readonly error: { readonly code: string; readonly message: string };
    };

/** How long processing takes: the prompt's `[[delay]]`, or else a time drawn from the seed once per generation. */
export function processingTimeOf(context: Context, generation: Generation): number {
  const { delayMs } = readDirectives(generation.prompt);
  if (delayMs !== undefined) return delayMs;
  const { min, max } = context.settings.processingTime;
  if (min === max) return Math.round(min);
  const { rngStream } = findOrganization(context, generation.organization);
  const share = context.ports.random.fractionFor(rngStream, `processing:${generation.id}`);
  return Math.round(min + share * (max - min));
}

/** The longest start of `text` that fits into `limit` tokens. */
function cutToTokens(text: string, limit: number, estimate: (text: string) => number): string {
  const characters = Array.from(text);
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (estimate(characters.slice(0, middle).join('')) <= limit) low = middle;
    else high = middle - 1;
  }
  return characters.slice(0, low).join('');
}

/**
 * Returns a function that awaits work, but rejects with the signal's reason when it aborts: a generator might never
 * settle.
 */
function abortable<T>(signal: AbortSignal): (work: Promise<T>) => Promise<T> {
  let giveUp: (reason: unknown) => void = () => {};
  onAbort(signal, () => giveUp(signal.reason));
  return (work) =>
    new Promise((resolve, reject) => {
      giveUp = reject;
      work.then(resolve, reject);
      if (signal.aborted) reject(signal.reason);
    });
}

/**
 * Collects pieces up to a limit of tokens. Counting is the most expensive part of a generation, so tokens are counted
 * only once the text is long enough to have reached the limit.
 */
function tokenBudget(limit: number, estimate: (text: string) => number) {
  let text = '';
  let counted = 0;
  let uncounted = '';
  return {
    text: () => text,
    /** Adds a piece and returns the part of it within the limit. */
    take(piece: string): string {
      uncounted += piece;
      if (counted + uncounted.length * MOST_TOKENS_PER_UNIT > limit) {
        counted += estimate(uncounted);
        uncounted = '';
        if (counted > limit) counted = estimate(text + piece);
      }
      const taken =
        counted > limit ? cutToTokens(text + piece, limit, estimate).slice(text.length) : piece;
      text += taken;
      return taken;
    },
  };
}

/**
 * Runs the generator up to `maxTokens` and counts the tokens. If the generator throws, the outcome is `failed`; the
 * promise rejects only when the signal aborts.
 */
export async function runGeneration(
  context: Context,
  generation: Generation,
  signal: AbortSignal,
  onDelta?: (delta: string) => void,
): Promise<Outcome> {
  const { estimateTokens: estimate, generate, pause } = context.ports;
  const { prompt, model, maxTokens, temperature, seed, delivery } = generation;
  const waits = delivery === 'callback' ? 0 : processingTimeOf(context, generation);
  const pace = onDelta ? waits / PACED_PIECES : 0;

  const budget = tokenBudget(
    generate.limitsTokens ? Number.POSITIVE_INFINITY : maxTokens,
    estimate,
  );
  const untilAborted = abortable<IteratorResult<string>>(signal);
  let counted: GeneratorUsage | undefined;
  context.progress.set(generation.id, budget.text);
  try {
    if (waits > 0 && !onDelta) await pause(waits, signal);
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
      const next = onDelta || 'then' in step ? await untilAborted(Promise.resolve(step)) : step;
      if (next.done) {
        counted = readUsage(next.value);
        break;
      }
      const piece = String(next.value);
      const taken = budget.take(piece);
      if (taken !== '') onDelta?.(taken);
      if (taken !== piece) {
        void Promise.resolve(pieces.return?.()).catch(() => {});
        break;
      }
    }
    return outcomeOf(context, generation, budget.text(), counted);
  } catch (error) {
    signal.throwIfAborted();
    const message =
      error instanceof GenerationFailure ? error.message : 'The model failed to generate a result.';
    return { status: 'failed', error: { code: 'generation_failed', message } };
  } finally {
    context.progress.delete(generation.id);
  }
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
  { ports: { estimateTokens } }: Context,
  { prompt, maxTokens }: Generation,
  result: string,
  counted?: GeneratorUsage,
): Outcome {
  const promptTokens = Math.max(1, counted?.promptTokens ?? estimateTokens(prompt));
  const completion = counted?.completionTokens ?? estimateTokens(result);
  const completionTokens = Math.min(maxTokens, Math.max(1, completion));
  const totalTokens = promptTokens + completionTokens;
  return { status: 'completed', result, usage: { totalTokens, promptTokens, completionTokens } };
}
