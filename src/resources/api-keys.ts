import type { ApiPromise, Caller } from '../core/caller.ts';
import { createList, type ListPromise } from '../core/pagination.ts';
import type { CallOptions } from '../options.ts';
import type {
  ApiKey,
  ApiKeyWithSecret,
  CreateApiKeyRequest,
  QueryOf,
  RegenerateApiKeyRequest,
} from '../types.ts';

/** The project's API keys; needs the role `admin`. */
export interface ApiKeys {
  /**
   * Creates an API key. Its `key` is shown only once, in this response.
   * @example const { id, key } = await client.apiKeys.create({ name: 'ci', role: 'member' });
   */
  create(body?: CreateApiKeyRequest, options?: CallOptions): ApiPromise<ApiKeyWithSecret>;

  /** Lists the API keys, newest first, without the keys themselves. `await` it for a page, or iterate it for all. */
  list(query?: QueryOf<'listApiKeys'>, options?: CallOptions): ListPromise<ApiKey>;

  /** Returns an API key by its id, not by the key itself. */
  get(id: string, options?: CallOptions): ApiPromise<ApiKey>;

  /** Revokes an API key with immediate effect. Revoking it again changes nothing. */
  revoke(id: string, options?: CallOptions): ApiPromise<ApiKey>;

  /**
   * Replaces an API key. The old one stays valid for `gracePeriodSeconds`: 0 to 604 800, default 0.
   * @example const { key } = await client.apiKeys.regenerate(id, { gracePeriodSeconds: 3600 });
   */
  regenerate(
    id: string,
    body?: RegenerateApiKeyRequest,
    options?: CallOptions,
  ): ApiPromise<ApiKeyWithSecret>;
}

export function createApiKeys(caller: Caller): ApiKeys {
  return {
    create: (body, options) => caller.call('createApiKey', options, { body }),
    list: (query, options) => createList(caller, 'listApiKeys', options, query),
    get: (id, options) => caller.call('getApiKey', options, { path: { id } }),
    revoke: (id, options) => caller.call('revokeApiKey', options, { path: { id } }),
    regenerate: (id, body, options) =>
      caller.call('regenerateApiKey', options, { path: { id }, body }),
  };
}
