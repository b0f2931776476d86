import { version } from '../generated/version.ts';

/** The only file that looks at the environment. Everything is read when called, never at import. */
interface Surroundings {
  process?: { env?: Record<string, string | undefined> };
  window?: unknown;
  document?: unknown;
  WorkerGlobalScope?: unknown;
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
  const { window, document, importScripts, WorkerGlobalScope, navigator } = surroundings;
  if (window && document) return true;
  const worker = importScripts ?? WorkerGlobalScope;
  return worker !== undefined && /^Mozilla\//.test(navigator?.userAgent ?? '');
}

/** The `User-Agent` to send; none in browsers, where it would provoke a preflight. */
export function userAgent(): Record<string, string> {
  return isBrowser() ? {} : { 'user-agent': `contentgen/${version}` };
}

/** A random idempotency key. `randomUUID` is missing on pages without HTTPS. */
export function randomKey(): string {
  const { randomUUID }: Partial<Crypto> = crypto;
  if (randomUUID) return randomUUID.call(crypto);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Milliseconds of a clock that never jumps. */
export function monotonicNow(): number {
  return performance.now();
}
