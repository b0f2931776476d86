import { version } from '../generated/version.ts';

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
