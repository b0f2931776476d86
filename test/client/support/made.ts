import { afterEach, beforeEach, vi } from 'vitest';
import { type ClientOptions, contentgen } from './entry.ts';
import { inBrowsers } from './in-browsers.ts';
import { startService } from './service.ts';

export const good = { baseUrl: 'https://api.example.com', apiKey: 'cg_test_key' };

// What is no options object stays as it is.
const given = (options: object) =>
  Object.getPrototypeOf(options ?? 0) === Object.prototype
    ? { ...inBrowsers, ...options }
    : options;

/** Makes a client of options that types may refuse. */
export const make = (options: object) => new contentgen.ContentGen(given(options) as ClientOptions);

/** Keeps the machine's own environment out of every test of a file. */
export function withoutEnvironment(): void {
  beforeEach(() => {
    for (const name of ['API_KEY', 'ACCESS_TOKEN', 'BASE_URL', 'LOG'])
      vi.stubEnv(`CONTENTGEN_${name}`, undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });
}

/** The headers that a client of these options sends. */
export async function sent(options: object, callOptions?: object) {
  const service = await startService('scripted fetch');
  service.script({ json: {} });
  const client = make({ fetch: service.fetch, ...options });
  await client.usage.get(callOptions);
  const [request] = service.seen;
  return { ...request?.headers, url: request?.path };
}
