import { GenerationFailure } from './default-generator.ts';
import { readDirectives } from './directives.ts';
import { findOrganization } from './organizations.ts';
import type { Generation, TokenUsage } from './records.ts';
import type { World } from './world.ts';

/** Pauses of a stream on a real clock; what comes after them comes at once. */
const PACED_PIECES = 40;

export type Outcome =
  | { readonly status: 'completed'; readonly result: string; readonly usage: TokenUsage }
  | {
      readonly status: 'failed';
      readonly error: { readonly code: string; readonly message: string };
    };

/** How long processing takes: drawn once per generation under the seed, or what the prompt's `[[delay]]` says. */
export function processingTimeOf(world: World, generation: Generation): number {
  const { delayMs } = readDirectives(generation.prompt);
  if (delayMs !== undefined) return delayMs;
  const { min, max } = world.settings.processingTime;
  if (min === max) return min;
  const { ordinal } = findOrganization(world, generation.organization);
  const share = world.ports.random.fractionFor(ordinal, `processing:${generation.id}`);
  return Math.round(min + share * (max - min));
}

/** The longest beginning of `text` within `limit` tokens. */
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

/** Rejects with the signal's reason; nothing else ends it. */
function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Lets the generator write, cut at `maxTokens`, and counts its tokens. A generator that throws makes a failed
 * outcome; only an abort rejects.
 */
export async function runGeneration(
  world: World,
  generation: Generation,
  signal: AbortSignal,
  onDelta?: (delta: string) => void,
): Promise<Outcome> {
  const { estimateTokens: estimate, generate, pause } = world.ports;
  const { prompt, model, maxTokens, temperature, seed, delivery } = generation;
  const aborted = abortion(signal);
  aborted.catch(() => {});
  const waits = delivery === 'callback' ? 0 : processingTimeOf(world, generation);
  const pace = onDelta ? waits / PACED_PIECES : 0;

  let text = '';
  let counted = 0;
  try {
    if (waits > 0 && !onDelta) await pause(waits, signal);
    const input = {
      prompt,
      model,
      maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && { seed }),
    };
    const pieces = generate(input, { signal })[Symbol.asyncIterator]();
    for (let number = 0; ; number += 1) {
      if (pace > 0 && number < PACED_PIECES) await pause(pace, signal);
      const next = await Promise.race([pieces.next(), aborted]);
      if (next.done) break;
      const piece = String(next.value);
      if (piece === '') continue;
      // Pieces counted alone never count less than their sum does, so the costly count runs near the limit alone.
      counted += estimate(piece);
      let taken = piece;
      if (counted > maxTokens) {
        counted = estimate(text + piece);
        if (counted > maxTokens) {
          taken = cutToTokens(text + piece, maxTokens, estimate).slice(text.length);
        }
      }
      text += taken;
      if (taken !== '') onDelta?.(taken);
      if (taken !== piece) {
        void Promise.resolve(pieces.return?.()).catch(() => {});
        break;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    const message =
      error instanceof GenerationFailure ? error.message : 'The model failed to generate.';
    return { status: 'failed', error: { code: 'generation_failed', message } };
  }
  const promptTokens = Math.max(1, estimate(prompt));
  const completionTokens = Math.min(maxTokens, Math.max(1, estimate(text)));
  const totalTokens = promptTokens + completionTokens;
  return {
    status: 'completed',
    result: text,
    usage: { totalTokens, promptTokens, completionTokens },
  };
}
