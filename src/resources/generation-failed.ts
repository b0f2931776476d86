import { GenerationFailedError } from '../errors.ts';
import type { OperationId } from '../types.ts';

/** The error of a generation, or of a callback's payload, that ended without a result. */
export function generationFailed(
  generation: GenerationFailedError['generation'],
  operation: OperationId,
  idempotencyKey?: string,
): GenerationFailedError {
  const canceled = generation.status === 'canceled';
  const reason = generation.error?.code;
  const id = generation.requestId ? ` ${generation.requestId}` : '';
  return new GenerationFailedError(
    `Generation${id} ${canceled ? 'was canceled' : 'failed'}${reason ? `: ${reason}` : ''}.`,
    {
      code: canceled ? 'generation_canceled' : 'generation_failed',
      operation,
      generation,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    },
  );
}
