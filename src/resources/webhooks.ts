import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller } from '../core/caller.ts';
import { type ListPromise, list } from '../core/pagination.ts';
import type { CallOptions } from '../options.ts';
import type {
  CreateWebhookRequest,
  Delivery,
  QueryOf,
  RedeliverFailedRequest,
  RedeliverFailedResult,
  RotatedSigningSecret,
  RotateSigningSecretRequest,
  RotateWebhookSecretRequest,
  SigningSecret,
  UpdateWebhookRequest,
  Webhook,
  WebhookWithSecret,
} from '../types.ts';

const asWebhook = (data: object) => data as Webhook;
const asNewWebhook = (data: object) => data as WebhookWithSecret;
const asDelivery = (data: object) => data as Delivery;

/** Registrations for system events, their secrets and deliveries; needs the role `admin`. */
export class Webhooks {
  readonly #caller: Caller;
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Registers a URL for an event; its signing `secret` is shown in this answer only. */
  create(body: CreateWebhookRequest, options?: CallOptions): ApiPromise<WebhookWithSecret> {
    return this.#caller.call({ operation: 'createWebhook', body, options }, asNewWebhook);
  }

  /** The registrations, newest first: `await` a page, `for await` all. */
  list(query?: QueryOf<'listWebhooks'>, options?: CallOptions): ListPromise<Webhook> {
    return list(this.#caller, 'listWebhooks', undefined, query, options);
  }

  get(id: string, options?: CallOptions): ApiPromise<Webhook> {
    return this.#caller.call({ operation: 'getWebhook', path: { id }, options }, asWebhook);
  }

  /** Changes any of `url`, `description`, `threshold`, `token` and `status`; the event stays. */
  update(id: string, body: UpdateWebhookRequest, options?: CallOptions): ApiPromise<Webhook> {
    return this.#caller.call(
      { operation: 'updateWebhook', path: { id }, body, options },
      asWebhook,
    );
  }

  /** Deletes a registration; its pending deliveries are canceled. */
  delete(id: string, options?: CallOptions): ApiPromise<void> {
    return this.#caller.call(
      { operation: 'deleteWebhook', path: { id }, expects: 'nothing', options },
      () => {},
    );
  }

  /** A new signing secret; deliveries carry both signatures for `overlapSeconds`, default 86 400. */
  rotateSecret(
    id: string,
    body?: RotateWebhookSecretRequest,
    options?: CallOptions,
  ): ApiPromise<WebhookWithSecret> {
    return this.#caller.call(
      { operation: 'rotateWebhookSecret', path: { id }, body, options },
      asNewWebhook,
    );
  }

  /** Sends a sample event. */
  test(id: string, options?: CallOptions): ApiPromise<Delivery> {
    return this.#caller.call({ operation: 'testWebhook', path: { id }, options }, asDelivery);
  }

  /** Deliveries of a registration with their attempts, newest first: `await` a page, `for await` all. */
  listDeliveries(
    id: string,
    query?: QueryOf<'listDeliveries'>,
    options?: CallOptions,
  ): ListPromise<Delivery> {
    return list(this.#caller, 'listDeliveries', { id }, query, options);
  }

  /** Deliveries of result callbacks, of one generation by `requestId`, newest first. */
  listCallbackDeliveries(
    query?: QueryOf<'listCallbackDeliveries'>,
    options?: CallOptions,
  ): ListPromise<Delivery> {
    return list(this.#caller, 'listCallbackDeliveries', undefined, query, options);
  }

  /** Sends a delivery again, the same bytes under the same `webhook-id`; 409 while it is pending. */
  redeliver(deliveryId: string, options?: CallOptions): ApiPromise<Delivery> {
    return this.#caller.call({ operation: 'redeliver', path: { deliveryId }, options }, asDelivery);
  }

  /** Sends all failed deliveries since a time again. */
  redeliverFailed(
    id: string,
    body: RedeliverFailedRequest,
    options?: CallOptions,
  ): ApiPromise<RedeliverFailedResult> {
    return this.#caller.call(
      { operation: 'redeliverFailed', path: { id }, body, options },
      (data) => data as RedeliverFailedResult,
    );
  }

  /** The project's own secret, which signs result callbacks. */
  getSigningSecret(options?: CallOptions): ApiPromise<SigningSecret> {
    return this.#caller.call(
      { operation: 'getSigningSecret', options },
      (data) => data as SigningSecret,
    );
  }

  /** A new signing secret of the project; callbacks carry both signatures for `overlapSeconds`. */
  rotateSigningSecret(
    body?: RotateSigningSecretRequest,
    options?: CallOptions,
  ): ApiPromise<RotatedSigningSecret> {
    return this.#caller.call(
      { operation: 'rotateSigningSecret', body, options },
      (data) => data as RotatedSigningSecret,
    );
  }
}
