import { createCaller } from './core/caller.ts';
import { createHttp, type HttpClient } from './core/http.ts';
import { type ClientOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { ApiKeys } from './resources/api-keys.ts';
import { Content } from './resources/content.ts';
import { UsageResource } from './resources/usage.ts';
import { Webhooks } from './resources/webhooks.ts';

/**
 * The client of the service.
 * @example const client = new ContentGen({ baseUrl: 'https://api.example.com', apiKey: 'cg_live_…' });
 * @throws TypeError when an option is wrong or unknown, or no credential or address is there
 */
export class ContentGen {
  declare readonly content: Content;
  declare readonly apiKeys: ApiKeys;
  declare readonly webhooks: Webhooks;
  declare readonly usage: UsageResource;
  readonly #options: ResolvedOptions;
  #http: HttpClient | undefined;

  constructor(options?: ClientOptions) {
    this.#options = resolveOptions(options);
    const caller = createCaller(this.#options);
    this.content = new Content(caller);
    this.apiKeys = new ApiKeys(caller);
    this.webhooks = new Webhooks(caller);
    this.usage = new UsageResource(caller);
  }

  /** The typed openapi-fetch client on the same transport; works with openapi-react-query. */
  get http(): HttpClient {
    this.#http ??= createHttp(this.#options);
    return this.#http;
  }
}
