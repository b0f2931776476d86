import type { Client } from 'openapi-fetch';
import type { paths } from '../generated/openapi.ts';
import type { ResolvedOptions } from '../options.ts';
import { kit } from './kit.ts';
import { loaded } from './loaded.ts';
import { createRequester } from './request.ts';

/** The typed openapi-fetch client: the same retries, limits, credential and key; error statuses are answers. */
export type HttpClient = Client<paths>;

/** `client.http`; what it stands on loads with its first use. */
export function createHttp(options: ResolvedOptions): HttpClient {
  const loading = loaded(import('./http-client.ts')).then(({ createHttpClient }) =>
    createHttpClient(kit, options),
  );
  // Whoever asks for something is told that it could not load; nobody else.
  loading.catch(() => {});
  const lazily = (name: string) => [
    name,
    // In the order of the calls: all wait for the same promise.
    (...input: never[]) => loading.then((client) => (client as never as Methods)[name]?.(...input)),
  ];
  return Object.fromEntries(Object.keys(createRequester(options, {})).map(lazily));
}

type Methods = Readonly<Record<string, (...input: never[]) => unknown>>;
