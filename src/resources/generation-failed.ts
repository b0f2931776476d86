import type { Kit } from '../core/unpack.ts';
import type { CallFacts, GenerationFailedError } from '../errors.ts';

/** The error of a generation, or of a callback's payload, that ended without a result. */
export function generationFailed(
  kit: Kit,
  generation: GenerationFailedError['generation'],
  { operation, idempotencyKey }: CallFacts,
): GenerationFailedError {
  const { status, requestId, error } = generation;
  const canceled = status === 'canceled';
  const name = typeof requestId === 'string' ? ` ${requestId}` : '';
  const reason = typeof error?.code === 'string' ? error.code : status;
  return new kit.GenerationFailedError(
    `Generation${name} ${canceled ? 'was canceled' : 'failed'}: ${reason}.`,
    {
      code: canceled ? 'generation_canceled' : 'generation_failed',
      operation,
      idempotencyKey,
      generation,
    },
  );
}
