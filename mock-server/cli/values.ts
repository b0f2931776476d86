import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { didYouMean, isObject, parseJson } from '../domain/options.ts';
import { withoutTrailing } from '../domain/redact.ts';

/** The command line is wrong: prints one line, exit code 2. */
export class UsageError extends Error {}

export type Parse<Value> = (text: string, name: string) => Value;

/** The text of a file; `advice` says what to pass instead. @throws UsageError */
export function readText(file: string, advice: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(`Failed to read ${file} (${code}). ${advice}`);
  }
}

export const anyText: Parse<string> = (text) => text;

export function integer(least: number, most: number): Parse<number> {
  return (text, name) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new UsageError(`${name} must be an integer from ${least} to ${most}, not '${text}'.`);
    }
    return value;
  };
}

export const httpUrl: Parse<URL> = (text, name) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    const advice = startsWithHost(text) ? ` Did you mean 'http://${text}'?` : '';
    throw new UsageError(`${name} must be an http or https URL, not '${text}'.${advice}`);
  }
  return url;
};

/** `localhost:3000/webhooks` reads as a URL whose scheme is `localhost`. */
const startsWithHost = (text: string): boolean =>
  /^(localhost|[\w-]+(\.[\w-]+)+|\[[\da-f:]+\])(:\d+)?([/?#]|$)/i.test(text) &&
  URL.canParse(`http://${text}`);

/** An address to listen on, in its usual form: `127.1` is `127.0.0.1`, and `[::1]` is `::1`. */
export const hostName: Parse<string> = (text, name) => {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  // A URL cannot name the interface of a link-local address.
  if (isIPv6(bare)) return bare;
  const url = `http://${text}`;
  if (!/^[\w.-]+$/.test(text) || !URL.canParse(url)) {
    throw new UsageError(`${name} must be an IP address or a host name, not '${text}'.`);
  }
  return new URL(url).hostname;
};

export const baseUrl: Parse<string> = (text, name) =>
  withoutTrailing(httpUrl(text, name).href, '/');

export function oneOf<const Value extends string>(allowed: readonly Value[]): Parse<Value> {
  return (text, name) => {
    const found = allowed.find((value) => value === text);
    if (found !== undefined) return found;
    const advice = didYouMean(text, allowed);
    throw new UsageError(`${name} must be one of ${allowed.join(', ')}, not '${text}'.${advice}`);
  };
}

export const jsonObject: Parse<Readonly<Record<string, unknown>>> = (text, name) => {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new UsageError(`${name} must be a JSON object.`);
};

/** A token as an HTTP header carries it. */
export const visibleToken: Parse<string> = (text, name) => {
  if (/^[\x21-\x7e]{16,}$/.test(text)) return text;
  throw new UsageError(`${name} must be at least 16 visible ASCII characters without spaces.`);
};

/** `a,b` → `['a', 'b']`. */
export const names: Parse<readonly string[]> = (text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
