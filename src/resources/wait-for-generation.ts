import type { Caller } from '../core/caller.ts';
import type { PackedKit } from '../core/kit.ts';
import { write } from '../core/log.ts';
import { poll } from '../core/poll.ts';
import type { Answer } from '../core/send.ts';
import { type Kit, unpack } from '../core/unpack.ts';
import type { CompletedGeneration, Generation, GenerationResult } from '../types.ts';
import { generationFailed } from './generation-failed.ts';
import type { ResultSource, WaitOptions } from './generation-job.ts';

/** Polls a generation until it has ended; loaded with the first wait. */
export async function waitForGeneration(
  packed: PackedKit,
  call: Caller,
  requestId: string,
  options: WaitOptions = {},
): Promise<GenerationResult> {
  const kit = unpack(packed);
  const { results, ...callOptions } = options;
  if (results !== undefined && typeof results?.waitFor !== 'function') {
    throw new TypeError('results must have a method waitFor(requestId, { signal }).');
  }
  const warn = (message: string, facts: object): void =>
    void write(call.options, 'warn', message, facts);
  let warned = false;
  return poll<GenerationResult>(kit, call, {
    operation: 'getGeneration',
    path: { requestId },
    options: callOptions,
    hint: `Generation ${requestId} had not ended and goes on: wait() again, or cancel() it.`,
    settled: (answer) => {
      const { status } = answer.body as Generation;
      const known = outcome(kit, answer.body as Generation, answer);
      if (!known && status !== 'processing' && !warned) {
        warned = true;
        warn('unknown status of a generation; waiting on', { requestId });
      }
      return known;
    },
    push: results && ((signal) => fromCallback(kit, results, requestId, signal, warn)),
  });
}

function outcome(
  kit: Kit,
  generation: Generation,
  answer: Answer,
): CompletedGeneration | undefined {
  const { status, result } = generation;
  if (status === 'failed' || status === 'canceled')
    throw generationFailed(kit, generation, answer.call);
  if (status !== 'completed') return undefined;
  if (typeof result !== 'string') throw kit.unexpected(answer, 'completed without a result');
  return generation as CompletedGeneration;
}

/** Never settles when the source fails or tells of something else: polling decides then. */
async function fromCallback(
  kit: Kit,
  results: ResultSource,
  requestId: string,
  signal: AbortSignal,
  warn: (message: string, facts: object) => void,
): Promise<GenerationResult> {
  try {
    const { type, payload } = await results.waitFor(requestId, { signal });
    const known = payload as Partial<GenerationResult> | undefined;
    if (type === 'generation_failed') {
      throw generationFailed(kit, { ...known, requestId, status: 'failed' }, {});
    }
    if (type === 'generation_completed' && typeof known?.result === 'string') {
      return { ...(known as GenerationResult), requestId, status: 'completed' };
    }
  } catch (error) {
    if (error instanceof kit.GenerationFailedError) throw error;
    if (!signal.aborted) {
      warn('results.waitFor failed; polling goes on', { requestId, error: (error as Error)?.name });
    }
  }
  return new Promise<never>(() => {});
}
