import { version } from '../generated/version.ts';

/** The only file that looks at the environment. Everything is read when called, never at import. */
interface Surroundings {
  process?: { env?: Record<string, string | undefined> };
  window?: unknown;
  document?: unknown;
  importScripts?: unknown;
  navigator?: { userAgent?: string };
}

const surroundings = globalThis as Surroundings;

/** The environment variable `CONTENTGEN_<name>`; absent, empty and unreadable ones are `undefined`. */
export function readEnv(name: string): string | undefined {
  try {
    return surroundings.process?.env?.[`CONTENTGEN_${name}`]?.trim() || undefined;
  } catch {
    // Deno without --allow-env throws.
    return undefined;
  }
}

/** A page or a worker of a browser, where everyone can read the credential. */
export function isBrowser(): boolean {
  const { window, document, importScripts, navigator } = surroundings;
  if (importScripts) return /^Mozilla\//.test(navigator?.userAgent ?? '');
  return Boolean(window && document);
}

/** The `User-Agent` to send; none in browsers, where it would provoke a preflight. */
export function userAgent(): Record<string, string> {
  return isBrowser() ? {} : { 'user-agent': `contentgen/${version}` };
}

/** A random idempotency key. `randomUUID` is missing on pages without HTTPS. */
export function randomKey(): string {
  const source: Partial<Crypto> = crypto;
  return source.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
}
