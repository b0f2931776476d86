import { createCaller } from './core/caller.ts';
import { createHttpClient, type HttpClient } from './core/http.ts';
import { isObject } from './options/values.ts';
import type { ClientOptions } from './options.ts';
import { type Resolved, resolveOptions } from './resolve-options.ts';
import { type ApiKeys, createApiKeys } from './resources/api-keys.ts';
import { type Content, createContent } from './resources/content.ts';
import { createUsage, type UsageResource } from './resources/usage.ts';
import { createWebhooks, type Webhooks } from './resources/webhooks.ts';

/** The client that a copy is made of, among the options of the copy. */
const original = Symbol('original');
/** Where a client keeps its options; no private member, because those reject the proxies of reactive state. */
const state = Symbol('state');
const resolvedOf = (client: object) => (client as { [state]: () => Resolved })[state]();

/**
 * The client for the service.
 * @example const client = new ContentGen({ baseUrl: 'https://api.example.com', apiKey: 'cg_live_…' });
 */
export class ContentGen {
  /** Generates content: in one call, in the background, or as a stream. */
  readonly content: Content;
  /** Manages the project's API keys; needs the role `admin`. */
  readonly apiKeys: ApiKeys;
  /** Manages registrations for system events, their secrets and deliveries; needs the role `admin`. */
  readonly webhooks: Webhooks;
  /** Reads the organization's usage and quota. */
  readonly usage: UsageResource;
  /** The typed openapi-fetch client on the same transport. Works with openapi-react-query. */
  readonly http: HttpClient;

  /**
   * Reads the environment at the first call, which rejects without a base URL or credential.
   * @throws TypeError for a wrong or unknown option
   */
  constructor(options?: ClientOptions);
  constructor(options?: ClientOptions & { readonly [original]?: Resolved }) {
    const resolved = resolveOptions(options, options?.[original]);
    const caller = createCaller(resolved.complete);
    Object.defineProperty(this, state, { value: () => resolved });
    this.content = createContent(caller);
    this.apiKeys = createApiKeys(caller);
    this.webhooks = createWebhooks(caller);
    this.usage = createUsage(caller);
    this.http = createHttpClient(resolved.complete);
  }

  /**
   * Returns a copy of this client in which these options replace its own: for another tenant's key, or other limits. It
   * is cheap and uses the same transport. A subclass keeps its class: its constructor is called with these options, to pass them on to `super`.
   * @throws TypeError for a wrong or unknown option
   * @example const tenant = client.withOptions({ apiKey: tenantKey });
   */
  withOptions(options: ClientOptions): this {
    const Copy = this.constructor as new (options: ClientOptions) => this;
    const isValid = options === undefined || isObject(options);
    // A symbol is also there if a subclass passes on `{ ...options, more }`.
    return new Copy(
      isValid ? ({ ...options, [original]: resolvedOf(this) } as ClientOptions) : options,
    );
  }
}
