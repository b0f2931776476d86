import type { ResolvedOptions, RetryEvent } from '../options.ts';
import type { Outcome } from './attempt.ts';
import type { Call } from './call.ts';
import type { Logger } from './logger.ts';

type Target = Pick<ResolvedOptions, 'logger' | 'written'>;

/**
 * Writes a line when the level has it. A logger that throws or rejects never fails a call. Callers hand over facts
 * alone: no header, key, prompt or body reaches it.
 */
export async function write(
  { logger, written }: Target,
  level: keyof Logger,
  message: string,
  facts: object,
): Promise<void> {
  if (!written.includes(level)) return;
  try {
    // Read when written to, so that a console replaced later is the one used.
    await (logger ?? console)[level](`contentgen: ${message}`, facts);
  } catch {}
}

/** Operations whose deprecation was written of already, by client. */
const warned = new WeakMap<Target, Set<string>>();

/** What came of an attempt, once for each operation that it is deprecated, and the retry that follows. */
export function attempted(call: Call, attempt: number, outcome: Outcome, retry?: RetryEvent): void {
  const { failure, response, raw } = outcome;
  const { options, operation = 'http', body } = call;
  const { headers, status } = response ?? {};
  void write(options, 'debug', `${operation} attempt ${attempt}`, {
    operation,
    attempt,
    code: failure?.code,
    status,
    requestId: headers?.get('x-request-id') ?? undefined,
    ...(options.logBodies && { requestBody: body, responseBody: raw }),
  });
  const deprecation = headers?.get('deprecation');
  const sunset = headers?.get('sunset');
  const known = warned.get(options) ?? new Set();
  if ((deprecation ?? sunset) && !known.has(operation)) {
    warned.set(options, known.add(operation));
    const facts = { operation, deprecation, sunset };
    void write(options, 'warn', `${operation} is deprecated by the service`, facts);
  }
  if (retry) {
    const { delayMs } = retry;
    void write(options, 'info', `retrying ${call.operation ?? 'a call'} in ${delayMs} ms`, retry);
  }
}

export function hookThrew(options: Target, error: unknown): void {
  const facts = { error: (error as Error | undefined)?.name };
  void write(options, 'warn', 'onRetry threw; the call goes on', facts);
}
