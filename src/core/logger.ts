/** Where the client writes: `console` fits. */
export interface Logger {
  debug(message: string, facts?: object): void;
  info(message: string, facts?: object): void;
  warn(message: string, facts?: object): void;
  error(message: string, facts?: object): void;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'off'] as const;
/** `off` writes nothing. */
export type LogLevel = (typeof logLevels)[number];

const silent = () => {};

/**
 * The methods at and above `level`; the others do nothing. A logger that throws never fails a call. Callers hand over
 * facts alone: no header, key, prompt or body reaches it.
 */
export function atLevel(logger: Logger | undefined, level: LogLevel): Logger {
  const from = logLevels.indexOf(level);
  const method = (name: Exclude<LogLevel, 'off'>): Logger['info'] => {
    if (logLevels.indexOf(name) < from) return silent;
    return (message, facts) => {
      try {
        // Read when written to, so that a console replaced later is the one used.
        (logger ?? console)[name](`contentgen: ${message}`, ...(facts ? [facts] : []));
      } catch {}
    };
  };
  return {
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
  };
}
