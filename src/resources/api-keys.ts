import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller } from '../core/caller.ts';
import { type ListPromise, list } from '../core/pagination.ts';
import type { CallOptions } from '../options.ts';
import type {
  ApiKey,
  ApiKeyWithSecret,
  CreateApiKeyRequest,
  QueryOf,
  RegenerateApiKeyRequest,
} from '../types.ts';

const asKey = (data: object) => data as ApiKey;
const asNewKey = (data: object) => data as ApiKeyWithSecret;

/** The project's API keys; needs the role `admin`. */
export class ApiKeys {
  readonly #caller: Caller;
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates an API key; its `key` is shown in this answer only. */
  create(body?: CreateApiKeyRequest, options?: CallOptions): ApiPromise<ApiKeyWithSecret> {
    return this.#caller.call({ operation: 'createApiKey', body, options }, asNewKey);
  }

  /** The API keys, newest first, without the keys themselves: `await` a page, `for await` all. */
  list(query?: QueryOf<'listApiKeys'>, options?: CallOptions): ListPromise<ApiKey> {
    return list(this.#caller, 'listApiKeys', undefined, query, options);
  }

  /** An API key by its id (never by the key itself). */
  get(id: string, options?: CallOptions): ApiPromise<ApiKey> {
    return this.#caller.call({ operation: 'getApiKey', path: { id }, options }, asKey);
  }

  /** Revokes a key at once; idempotent. */
  revoke(id: string, options?: CallOptions): ApiPromise<ApiKey> {
    return this.#caller.call({ operation: 'revokeApiKey', path: { id }, options }, asKey);
  }

  /** Replaces a key; the old one stays active for `gracePeriodSeconds`, 0 to 604 800, default 0. */
  regenerate(
    id: string,
    body?: RegenerateApiKeyRequest,
    options?: CallOptions,
  ): ApiPromise<ApiKeyWithSecret> {
    return this.#caller.call(
      { operation: 'regenerateApiKey', path: { id }, body, options },
      asNewKey,
    );
  }
}
