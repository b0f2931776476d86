import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller } from '../core/caller.ts';
import { ListPromise } from '../core/pagination.ts';
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

/** Registrations for system events, their secrets and deliveries; needs the role `admin`. */
export class Webhooks {
  readonly #call: Caller;
  constructor(call: Caller) {
    this.#call = call;
  }

  /** Registers a URL for an event; its signing `secret` is shown in this answer only. */
  create(body: CreateWebhookRequest, options?: CallOptions): ApiPromise<WebhookWithSecret> {
    return this.#call('createWebhook', options, { body });
  }

  /** The registrations, newest first: `await` a page, `for await` all. */
  list(query?: QueryOf<'listWebhooks'>, options?: CallOptions): ListPromise<Webhook> {
    return new ListPromise(this.#call, 'listWebhooks', options, query);
  }

  get(id: string, options?: CallOptions): ApiPromise<Webhook> {
    return this.#call('getWebhook', options, { path: { id } });
  }

  /** Changes any of `url`, `description`, `threshold`, `token` and `status`; the event stays. */
  update(id: string, body: UpdateWebhookRequest, options?: CallOptions): ApiPromise<Webhook> {
    return this.#call('updateWebhook', options, { path: { id }, body });
  }

  /** Deletes a registration; its pending deliveries are canceled. */
  delete(id: string, options?: CallOptions): ApiPromise<void> {
    return this.#call('deleteWebhook', options, { path: { id }, fits: () => true }, () => {});
  }

  /** A new signing secret; deliveries carry both signatures for `overlapSeconds`, default 86 400. */
  rotateSecret(
    id: string,
    body?: RotateWebhookSecretRequest,
    options?: CallOptions,
  ): ApiPromise<WebhookWithSecret> {
    return this.#call('rotateWebhookSecret', options, { path: { id }, body });
  }

  /** Sends a sample event. */
  test(id: string, options?: CallOptions): ApiPromise<Delivery> {
    return this.#call('testWebhook', options, { path: { id } });
  }

  /** Deliveries of a registration with their attempts, newest first: `await` a page, `for await` all. */
  listDeliveries(
    id: string,
    query?: QueryOf<'listDeliveries'>,
    options?: CallOptions,
  ): ListPromise<Delivery> {
    return new ListPromise(this.#call, 'listDeliveries', options, query, { id });
  }

  /** Deliveries of result callbacks, of one generation by `requestId`, newest first. */
  listCallbackDeliveries(
    query?: QueryOf<'listCallbackDeliveries'>,
    options?: CallOptions,
  ): ListPromise<Delivery> {
    return new ListPromise(this.#call, 'listCallbackDeliveries', options, query);
  }

  /** Sends a delivery again, the same bytes under the same `webhook-id`; 409 while it is pending. */
  redeliver(deliveryId: string, options?: CallOptions): ApiPromise<Delivery> {
    return this.#call('redeliver', options, { path: { deliveryId } });
  }

  /** Sends all failed deliveries since a time again. */
  redeliverFailed(
    id: string,
    body: RedeliverFailedRequest,
    options?: CallOptions,
  ): ApiPromise<RedeliverFailedResult> {
    return this.#call('redeliverFailed', options, { path: { id }, body });
  }

  /** The project's own secret, which signs result callbacks. */
  getSigningSecret(options?: CallOptions): ApiPromise<SigningSecret> {
    return this.#call('getSigningSecret', options);
  }

  /** A new signing secret of the project; callbacks carry both signatures for `overlapSeconds`. */
  rotateSigningSecret(
    body?: RotateSigningSecretRequest,
    options?: CallOptions,
  ): ApiPromise<RotatedSigningSecret> {
    return this.#call('rotateSigningSecret', options, { body });
  }
}
