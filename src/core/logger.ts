/** Where the client writes: `console` fits. */
export interface Logger {
  debug(message: string, facts?: object): void;
  info(message: string, facts?: object): void;
  warn(message: string, facts?: object): void;
  error(message: string, facts?: object): void;
}

export const logMethods = ['debug', 'info', 'warn', 'error'] as const;
/** `off` writes nothing. */
export type LogLevel = (typeof logMethods)[number] | 'off';

export const isLogLevel = (value: unknown): value is LogLevel =>
  value === 'off' || logMethods.includes(value as never);

/**
 * The methods at and above `level`; the others do nothing. A logger that throws or rejects never fails a call. Callers
 * hand over facts alone: no header, key, prompt or body reaches it.
 */
export function atLevel(logger: Logger | undefined, level: LogLevel): Logger {
  const written = level === 'off' ? [] : logMethods.slice(logMethods.indexOf(level));
  const methods = logMethods.map((name) => [
    name,
    async (message: string, facts?: object) => {
      if (!written.includes(name)) return;
      try {
        // Read when written to, so that a console replaced later is the one used.
        await (logger ?? console)[name](`contentgen: ${message}`, ...(facts ? [facts] : []));
      } catch {}
    },
  ]);
  return Object.fromEntries(methods);
}
