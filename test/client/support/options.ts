import type { ClientOptions } from 'contentgen';
import * as contentgen from 'contentgen';
import { beforeEach, vi } from 'vitest';
import { scriptedService } from './service.ts';

export const good = { baseUrl: 'https://api.example.com', apiKey: 'cg_test_key' };

/** Creates a client from options that might not compile. */
export const make = (options: object) => new contentgen.ContentGen(options as ClientOptions);

/** Keeps the machine's environment out of the tests of a file. */
export function withoutEnvironment(): void {
  beforeEach(() => {
    for (const name of ['API_KEY', 'ACCESS_TOKEN', 'BASE_URL', 'LOG'])
      vi.stubEnv(`CONTENTGEN_${name}`, undefined);
  });
}

/** The headers that a client with these options sends. */
export async function sent(options: object, callOptions?: object) {
  const service = scriptedService();
  service.script({ json: { used: 0 } });
  const client = make({ fetch: service.fetch, ...options });
  await client.usage.get(callOptions);
  const [request] = service.seen;
  return { ...request?.headers, url: request?.path };
}
