import type { WebhookLogger } from './defaults.ts';

/** Logs a failure and the error behind it. */
export type LogFailure = (message: string, error: unknown) => void;

interface Options {
  readonly logger?: WebhookLogger;
}

/** Logs an error. Never throws: a broken logger must not decide what happens to a delivery. */
export function createLog({ logger = console }: Options) {
  return (message: string) => {
    try {
      logger.error(message);
    } catch {}
  };
}

/** Logs a failure with the stack of its error. */
export function createLogFailure(options: Options): LogFailure {
  const log = createLog(options);
  return (message, error) => log(`${message}: ${error instanceof Error ? error.stack : error}`);
}
