import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The command line is wrong: one line, exit 2. */
export class UsageError extends Error {}

/** The command could not do its work: one line, exit 1. */
export class CommandError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Reads the arguments of a command.
 *
 * @throws UsageError naming what is wrong.
 */
export function readArguments<O extends Options>(
  argv: readonly string[],
  options: O,
  positionals: { readonly least?: number; readonly most?: number; readonly names?: string } = {},
) {
  const { least = 0, most = least, names = '' } = positionals;
  let parsed: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(message.split(/\. (?=[A-Z])/)[0] ?? message);
  }
  // What a script makes of a variable that is not set.
  const empty = Object.entries(parsed.values).find(([, value]) => [value].flat().includes(''));
  if (empty) throw new UsageError(`--${empty[0]} has an empty value.`);
  const count = parsed.positionals.length;
  if (count < least) throw new UsageError(`${names} is missing.`);
  if (count > most) throw new UsageError(`Unexpected argument '${parsed.positionals[most]}'`);
  return parsed;
}

/** @throws UsageError unless the text is an integer inside the range. */
export function integerOf(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new UsageError(`${flag} must be an integer, ${least} to ${most}, not '${text}'.`);
  }
  return value;
}

/** @throws UsageError unless the text is an address that starts with http or https. */
export function urlOf(flag: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(`${flag} must be an http or https URL, not '${text}'.`);
  }
  return url;
}

/** @throws UsageError unless the text is a JSON object. */
export function objectOf(flag: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Said below.
  }
  throw new UsageError(`${flag} must be a JSON object.`);
}
