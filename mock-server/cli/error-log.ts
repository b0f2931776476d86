import { type LogFormat, logError, logSaved } from './log.ts';
import type { Terminal } from './terminal.ts';

/** How often to check whether saving works again. */
const RETRY_MS = 1000;

/**
 * Logs internal errors of the server. While nothing can be saved, for instance because the disk is full, each rejected
 * change would repeat the same line. It is logged only once, and another line says when saving works again.
 *
 * @param flushed - Saves what is not saved yet; rejects while that fails.
 */
export function createErrorLog(
  format: LogFormat,
  terminal: Terminal,
  flushed: () => Promise<void> | undefined,
): (error: unknown) => void {
  let reported: string | undefined;

  function retryLater(): void {
    setTimeout(() => void retry(), RETRY_MS).unref();
  }

  async function retry(): Promise<void> {
    try {
      await flushed();
    } catch {
      return retryLater();
    }
    reported = undefined;
    logSaved(format, terminal);
  }

  return (error) => {
    if (!isUnsaved(error)) return logError(error, format, terminal);
    if (error.message === reported) return;
    if (reported === undefined) retryLater();
    reported = error.message;
    logError(error, format, terminal);
  };
}

const isUnsaved = (error: unknown): error is Error =>
  error instanceof Error && (error as { code?: unknown }).code === 'unsaved';
