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

/** All levels; what is written at one is itself and what follows. */
export const logLevels: readonly LogLevel[] = [...logMethods, 'off'];
