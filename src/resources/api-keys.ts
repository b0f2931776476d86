import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller } from '../core/caller.ts';
import { ListPromise } from '../core/pagination.ts';
import type { CallOptions } from '../options.ts';
import type {
  ApiKey,
  ApiKeyWithSecret,
  CreateApiKeyRequest,
  QueryOf,
  RegenerateApiKeyRequest,
} from '../types.ts';

/** The project's API keys; needs the role `admin`. */
export class ApiKeys {
  readonly #call: Caller;
  constructor(call: Caller) {
    this.#call = call;
  }

  /** Creates an API key; its `key` is shown in this answer only. */
  create(body?: CreateApiKeyRequest, options?: CallOptions): ApiPromise<ApiKeyWithSecret> {
    return this.#call('createApiKey', options, { body });
  }

  /** The API keys, newest first, without the keys themselves: `await` a page, `for await` all. */
  list(query?: QueryOf<'listApiKeys'>, options?: CallOptions): ListPromise<ApiKey> {
    return new ListPromise(this.#call, 'listApiKeys', options, query);
  }

  /** An API key by its id (never by the key itself). */
  get(id: string, options?: CallOptions): ApiPromise<ApiKey> {
    return this.#call('getApiKey', options, { path: { id } });
  }

  /** Revokes a key at once; idempotent. */
  revoke(id: string, options?: CallOptions): ApiPromise<ApiKey> {
    return this.#call('revokeApiKey', options, { path: { id } });
  }

  /** Replaces a key; the old one stays active for `gracePeriodSeconds`, 0 to 604 800, default 0. */
  regenerate(
    id: string,
    body?: RegenerateApiKeyRequest,
    options?: CallOptions,
  ): ApiPromise<ApiKeyWithSecret> {
    return this.#call('regenerateApiKey', options, { path: { id }, body });
  }
}
