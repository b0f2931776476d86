import { createCaller } from './core/caller.ts';
import { createHttpClient, type HttpClient } from './core/http.ts';
import { type ClientOptions, resolveOptions } from './options.ts';
import { type ApiKeys, createApiKeys } from './resources/api-keys.ts';
import { type Content, createContent } from './resources/content.ts';
import { createUsage, type UsageResource } from './resources/usage.ts';
import { createWebhooks, type Webhooks } from './resources/webhooks.ts';

/**
 * The client of the service.
 * @example const client = new ContentGen({ baseUrl: 'https://api.example.com', apiKey: 'cg_live_…' });
 */
export class ContentGen {
  /** Generates content: at once, in the background, or as a stream. */
  readonly content: Content;
  /** Manages the project's API keys; needs the role `admin`. */
  readonly apiKeys: ApiKeys;
  /** Manages registrations for system events, their secrets and deliveries; needs the role `admin`. */
  readonly webhooks: Webhooks;
  /** Reads the organization's usage and quota. */
  readonly usage: UsageResource;
  /** The typed openapi-fetch client on the same transport. Works with openapi-react-query. */
  readonly http: HttpClient;

  /** @throws TypeError for a wrong or unknown option, and without a base URL or credential */
  constructor(options?: ClientOptions) {
    const resolved = resolveOptions(options);
    const caller = createCaller(resolved);
    this.content = createContent(caller);
    this.apiKeys = createApiKeys(caller);
    this.webhooks = createWebhooks(caller);
    this.usage = createUsage(caller);
    this.http = createHttpClient(resolved);
  }
}
