import { abortSignal, type OptionRules } from '../../options/rules.ts';
import { assertOptions } from '../../signing/errors.ts';
import type { WebhookEvent } from '../events.ts';
import type { ProcessOptions } from '../handler-options.ts';
import type { CallbackRunner } from '../process-once.ts';
import { assertHandled } from './retry-error.ts';

/** How a message ended. */
export interface ProcessResult {
  /** What became of it; in each case the job is done. */
  readonly outcome: 'processed' | 'ignored' | 'duplicate' | 'permanent_error';
}

const rules: OptionRules<ProcessOptions> = {
  signal: abortSignal,
};

/** Processes an event. Rejects if it must be retried: with the callback's error or a {@link WebhookRetryError}. */
export async function processEvent(
  runner: CallbackRunner,
  event: WebhookEvent,
  key: string,
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  assertOptions(options, rules);
  options.signal?.throwIfAborted();
  const result = await runner.run(event, key, options);
  assertHandled(result);
  return { outcome: result.outcome as ProcessResult['outcome'] };
}
