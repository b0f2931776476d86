import type { AttemptFailed } from '../core/attempt-io.ts';
import type { Failure } from '../core/failure.ts';
import type { PackedKit } from '../core/kit.ts';
import type { Answer } from '../core/send.ts';
import { readEvents, type ServerEvent } from '../core/sse.ts';
import { type Kit, unpack } from '../core/unpack.ts';
import type { CompletedGeneration, Generation } from '../types.ts';
import { generationFailed } from './generation-failed.ts';

/** A stream that is being read. */
export interface Reading {
  readonly deltas: AsyncGenerator<string, void, undefined>;
  /** Settles when the reading of `deltas` ends. */
  readonly final: Promise<CompletedGeneration>;
}

/** Opens the stream with the first piece that is asked for; loaded with the first stream. */
export function startReading(packed: PackedKit, open: () => Promise<Answer>): Reading {
  const kit = unpack(packed);
  let resolve!: (generation: CompletedGeneration) => void;
  let reject!: (reason: unknown) => void;
  const final = new Promise<CompletedGeneration>((...settle) => {
    [resolve, reject] = settle;
  });
  // Whoever iterates gets the error there: nobody need ask for final().
  final.catch(() => {});
  async function* read(): Reading['deltas'] {
    try {
      resolve(yield* readGeneration(kit, open));
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      // No effect on what is settled already.
      reject(kit.toError({ code: 'aborted', hint: 'The stream was left before its end.' }, {}));
    }
  }
  return { deltas: read(), final };
}

/** Yields the pieces of the text, returns the generation. */
async function* readGeneration(
  kit: Kit,
  open: () => Promise<Answer>,
): AsyncGenerator<string, CompletedGeneration, undefined> {
  const answer = await open();
  try {
    if (!answer.stream) throw kit.unexpected(answer, 'is no event stream');
    for await (const event of readEvents(answer.stream)) {
      const known = read(kit, event, answer);
      if (typeof known === 'string') yield known;
      else if (known) return known;
    }
    const hint = 'The stream ended before its generation.';
    throw broken(kit, answer, { code: 'stream_interrupted', hint });
  } catch (thrown) {
    const { failure } = Object(thrown) as Partial<AttemptFailed>;
    throw failure ? broken(kit, answer, failure) : thrown;
  } finally {
    answer.stream?.close();
    answer.scope.close();
  }
}

/** A piece of text, the whole generation at its end, or nothing that this version knows. */
function read(
  kit: Kit,
  { event, data }: ServerEvent,
  answer: Answer,
): string | CompletedGeneration | undefined {
  const [, kind] = /^generation\.(delta|completed|failed|canceled)$/.exec(event) ?? [];
  if (!kind) return undefined;
  const value = kit.parseJson(data) as (Generation & { delta?: unknown }) | undefined;
  if (kind === 'failed' || kind === 'canceled') {
    throw generationFailed(kit, { ...value, status: kind }, answer.call);
  }
  if (kind === 'delta' && typeof value?.delta === 'string') return value.delta;
  if (kind === 'completed' && typeof value?.result === 'string')
    return value as CompletedGeneration;
  throw kit.unexpected(answer, `has a ${event} event without its text`);
}

function broken(kit: Kit, { call, attempts, response }: Answer, failure: Failure): Error {
  const code = failure.code === 'connection_failed' ? 'stream_interrupted' : failure.code;
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  return kit.toError({ requestId, ...failure, code }, call, [
    ...attempts,
    { code, status, delayMs: 0 },
  ]);
}
