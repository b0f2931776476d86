import { assertFunctions, assertKnownOptions, assertSignal } from '../../signing/errors.ts';
import type { SqlQuery } from '../dedupe/dedupe.ts';
import type { WebhookEvent } from '../events.ts';
import type { WebhookCallback } from '../handler-options.ts';
import type { CallbackRunner, Work } from '../process-once.ts';
import { joinSignals } from '../process-once.ts';
import { assertHandled } from './retry-error.ts';

/** Options for processing one message. */
export interface ProcessOptions {
  /**
   * Runs queries in a transaction of the caller. Callbacks get it as `context.query`; with `postgresDedupe`, the done
   * mark is written in it too. If `process` resolves, commit; if it rejects, roll back. With any other store, pass
   * `commit` too, so that the mark follows the commit.
   */
  readonly query?: SqlQuery | undefined;
  /** Commits what `query` wrote, between the callback and the done mark; the caller need not. */
  readonly commit?: (() => Promise<unknown>) | undefined;
  /** Undoes what `query` wrote when the callback throws, before the delivery is freed or marked. */
  readonly rollback?: (() => Promise<unknown>) | undefined;
  /** Aborts the signal of the callback, for instance when the worker shuts down. */
  readonly signal?: AbortSignal | undefined;
}

/** How a message ended. */
export interface ProcessResult {
  /** What became of it; in each case the job is done. */
  readonly outcome: 'processed' | 'ignored' | 'duplicate' | 'permanent_error';
}

const optionNames: Record<keyof ProcessOptions, true> = {
  query: true,
  commit: true,
  rollback: true,
  signal: true,
};

/** Processes an event. Rejects if it must be retried: with the callback's error or a {@link WebhookRetryError}. */
export async function processEvent(
  runner: CallbackRunner,
  event: WebhookEvent,
  key: string,
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  assertKnownOptions(options, optionNames);
  assertFunctions(options, ['query', 'commit', 'rollback']);
  assertSignal(options.signal);
  options.signal?.throwIfAborted();
  const result = await runner.run(event, key, (work) => {
    const inner = inTransaction(work, options);
    const { callback } = inner;
    if (!callback) return inner;
    const outer: WebhookCallback<never> = async (event, context) => {
      const { signal, stop } = joinSignals(context.signal, options.signal);
      try {
        await callback(event, { ...context, signal });
      } finally {
        stop();
      }
    };
    return { ...inner, callback: outer };
  });
  assertHandled(result);
  return { outcome: result.outcome as ProcessResult['outcome'] };
}

/** Commits what a callback writes through `context.query` together with the done mark, or before it. */
function inTransaction(work: Work, { query, commit, rollback }: ProcessOptions): Work {
  const { callback, dedupe } = work;
  if (!query || !callback) return work;
  let isUsed = false;
  let isMarked = false;
  const used: SqlQuery = (text, params) => {
    isUsed = true;
    return query(text, params);
  };
  const outer: WebhookCallback<never> = async (event, context) => {
    const commitWith = async (through: SqlQuery) => {
      isUsed ||= through === used;
      await context.commitWith(through);
      isMarked = true;
    };
    try {
      await callback(event, { ...context, commitWith, query: used });
      if (isUsed && !isMarked && dedupe.commitWith) await commitWith(used);
      await commit?.();
    } catch (error) {
      // The error that caused the rollback counts, not a failure of the rollback itself: losing the connection rolls
      // back too.
      await rollback?.().catch(() => {});
      throw error;
    }
  };
  const complete = async (key: string, attemptId: string) => {
    // The caller has not committed yet, so the row is locked; its commit writes the mark.
    if (isUsed && isMarked && !commit) return;
    await dedupe.complete(key, attemptId);
  };
  return { ...work, callback: outer, dedupe: { ...dedupe, complete } };
}
