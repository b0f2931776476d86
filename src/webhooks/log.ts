import { isDriven } from '../platform/driver.ts';

/** Where diagnoses (`warn`) and failures (`error`) are logged, for instance `console`. */
export interface WebhookLogger {
  /** Logs what a developer should look at. */
  warn(message: string): void;
  /** Logs an error of a callback or store. */
  error(message: string): void;
  /** Whether the likely cause of a signature mismatch is logged, at most once a second. @default unless `NODE_ENV` is `production` */
  readonly diagnose?: boolean;
}

export type LogFailure = (message: string, error: unknown) => void;

interface Options {
  readonly logger?: WebhookLogger | undefined;
}

export function logError({ logger = console }: Options, message: string): void {
  void tell(logger, 'error', message);
}

/** Logs a warning, which nobody reads in a simulation: its faults are on purpose. */
export function warn({ logger = console }: Options, message: string): void {
  if (!isDriven()) void tell(logger, 'warn', message);
}

/** A logger that throws, or whose promise rejects, must not decide what happens to a delivery or end the process. */
async function tell(logger: WebhookLogger, level: 'error' | 'warn', message: string) {
  try {
    await logger[level](message);
  } catch {}
}

export function createLogFailure(options: Options): LogFailure {
  return (message, error) =>
    logError(options, `${message}: ${error instanceof Error ? error.stack : error}`);
}
