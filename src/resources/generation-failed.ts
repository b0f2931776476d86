import { type CallFacts, GenerationFailedError } from '../errors.ts';

/** The error of a generation, or of a callback's payload, that ended without a result. */
export function generationFailed(
  generation: GenerationFailedError['generation'],
  { operation, idempotencyKey }: CallFacts,
): GenerationFailedError {
  const { status, requestId = '', error } = generation;
  const canceled = status === 'canceled';
  return new GenerationFailedError(
    `Generation ${requestId} ${canceled ? 'was canceled' : 'failed'}: ${error?.code ?? status}.`,
    {
      code: canceled ? 'generation_canceled' : 'generation_failed',
      operation,
      idempotencyKey,
      generation,
    },
  );
}
