import { version } from '../generated/version.ts';
import { randomId } from '../platform/driver.ts';

/** The parts of the runtime that this file looks at. They are read when needed, never at import. */
interface Runtime {
  process?: { env?: Record<string, string | undefined> };
  window?: unknown;
  document?: unknown;
  importScripts?: unknown;
  navigator?: { userAgent?: string };
}

const runtime = globalThis as Runtime;

/** The environment variable `CONTENTGEN_<name>`, `undefined` if it is absent, empty or unreadable. */
export function readEnv(name: string): string | undefined {
  try {
    return runtime.process?.env?.[`CONTENTGEN_${name}`]?.trim() || undefined;
  } catch {
    // Deno throws without --allow-env.
    return undefined;
  }
}

/** Whether this is a page or a worker in a browser, where every visitor can read the credential. */
export function isBrowser(): boolean {
  const { window, document, importScripts, navigator } = runtime;
  if (importScripts) return /^Mozilla\//.test(navigator?.userAgent ?? '');
  return Boolean(window && document);
}

/** The `User-Agent` header, except in browsers, where it would cause a preflight. */
export function userAgent(): Record<string, string> {
  return isBrowser() ? {} : { 'user-agent': `contentgen/${version}` };
}

/**
 * A random idempotency key. `randomUUID` is missing on pages without HTTPS and in React Native.
 * @throws TypeError without any source of random numbers
 */
export function randomKey(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (crypto?.randomUUID) return randomId();
  if (crypto?.getRandomValues) return crypto.getRandomValues(new Uint32Array(4)).join('-');
  throw new TypeError(
    'This runtime has no crypto.getRandomValues, which idempotency keys need. Import a polyfill first, ' +
      'for example react-native-get-random-values, or pass idempotencyKey.',
  );
}

/** The last result of `isTakenByRequest`, and the `AbortController` that it applies to. */
let tried: { readonly controller: unknown; readonly isTaken: boolean } | undefined;

/**
 * The signal, if `fetch` accepts it. In jsdom it does not: `AbortController` is replaced there, but `Request` is not.
 */
export function forFetch(signal: AbortSignal): AbortSignal | undefined {
  if (tried?.controller !== AbortController) {
    tried = { controller: AbortController, isTaken: isTakenByRequest(signal) };
  }
  return tried.isTaken ? signal : undefined;
}

function isTakenByRequest(signal: AbortSignal): boolean {
  try {
    return Boolean(new Request('http://localhost', { signal }));
  } catch {
    return false;
  }
}
