import type { ApiPromise, Caller } from '../core/caller.ts';
import { createList, type ListPromise } from '../core/pagination.ts';
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
export interface Webhooks {
  /**
   * Registers a URL for an event. Its signing `secret` is shown only once, in this response.
   * @example const { id, secret } = await client.webhooks.create({ event: 'invoice_paid', url: 'https://app.example/hooks' });
   */
  create(body: CreateWebhookRequest, options?: CallOptions): ApiPromise<WebhookWithSecret>;

  /** Lists the registrations, newest first. `await` it for a page, or iterate it for all. */
  list(query?: QueryOf<'listWebhooks'>, options?: CallOptions): ListPromise<Webhook>;

  /** Returns a registration, without its secret. */
  get(id: string, options?: CallOptions): ApiPromise<Webhook>;

  /** Changes `url`, `description`, `threshold`, `token` or `status`. The event cannot be changed. */
  update(id: string, body: UpdateWebhookRequest, options?: CallOptions): ApiPromise<Webhook>;

  /** Deletes a registration and cancels its pending deliveries. */
  delete(id: string, options?: CallOptions): ApiPromise<void>;

  /** Creates a new signing secret. Deliveries carry both signatures for `overlapSeconds`, default 86 400. */
  rotateSecret(
    id: string,
    body?: RotateWebhookSecretRequest,
    options?: CallOptions,
  ): ApiPromise<WebhookWithSecret>;

  /** Sends a sample event. */
  test(id: string, options?: CallOptions): ApiPromise<Delivery>;

  /**
   * Lists the deliveries of a registration, newest first; `status` and `since` (a `Date`, or RFC 3339) narrow the list.
   * `await` it
   * for a page, or iterate it for all.
   * @example for await (const { id } of client.webhooks.listDeliveries(hook.id, { status: 'failed' })) console.log(id);
   */
  listDeliveries(
    id: string,
    query?: QueryOf<'listDeliveries'>,
    options?: CallOptions,
  ): ListPromise<Delivery>;

  /**
   * Lists the deliveries of result callbacks, newest first; with `requestId`, those of one generation. `status` and
   * `since` (a `Date`, or RFC 3339) narrow the list.
   * @example const { data } = await client.webhooks.listCallbackDeliveries({ since: '2026-01-01T00:00:00Z' });
   */
  listCallbackDeliveries(
    query?: QueryOf<'listCallbackDeliveries'>,
    options?: CallOptions,
  ): ListPromise<Delivery>;

  /**
   * Resends a delivery, with the same bytes and `webhook-id`. If it is still pending, its next attempt is made now.
   * @throws ConflictError `invalid_state` while an attempt is in flight, or if the registration is disabled
   */
  redeliver(deliveryId: string, options?: CallOptions): ApiPromise<Delivery>;

  /**
   * Resends every delivery of a registration that was created at or after `since` and has failed; with `status:
   * 'delivered'`, those that the receiver has acknowledged, if it has lost them.
   * @throws ConflictError `invalid_state` if the registration is disabled
   * @example const { count } = await client.webhooks.redeliverFailed(hook.id, { since: new Date('2026-01-01') });
   */
  redeliverFailed(
    id: string,
    body: RedeliverFailedRequest,
    options?: CallOptions,
  ): ApiPromise<RedeliverFailedResult>;

  /**
   * Resends every result callback of the project that was created at or after `since` and has failed; with `status:
   * 'delivered'`, those that the receiver has acknowledged, if it has lost them.
   * @example const { count } = await client.webhooks.redeliverFailedCallbacks({ since: new Date('2026-01-01') });
   */
  redeliverFailedCallbacks(
    body: RedeliverFailedRequest,
    options?: CallOptions,
  ): ApiPromise<RedeliverFailedResult>;

  /** Returns the project's secret, which signs result callbacks. */
  getSigningSecret(options?: CallOptions): ApiPromise<SigningSecret>;

  /** Creates a new secret for result callbacks. They carry both signatures for `overlapSeconds`, default 86 400. */
  rotateSigningSecret(
    body?: RotateSigningSecretRequest,
    options?: CallOptions,
  ): ApiPromise<RotatedSigningSecret>;
}

export function createWebhooks(caller: Caller): Webhooks {
  const anyBody = () => true;
  return {
    create: (body, options) => caller.call('createWebhook', options, { body }),
    list: (query, options) => createList(caller, 'listWebhooks', options, query),
    get: (id, options) => caller.call('getWebhook', options, { path: { id } }),
    update: (id, body, options) => caller.call('updateWebhook', options, { path: { id }, body }),
    delete: (id, options) =>
      caller.call('deleteWebhook', options, { path: { id }, isValidBody: anyBody }, () => {}),
    rotateSecret: (id, body, options) =>
      caller.call('rotateWebhookSecret', options, { path: { id }, body }),
    test: (id, options) => caller.call('testWebhook', options, { path: { id } }),
    listDeliveries: (id, query, options) =>
      createList(caller, 'listDeliveries', options, query, { id }),
    listCallbackDeliveries: (query, options) =>
      createList(caller, 'listCallbackDeliveries', options, query),
    redeliver: (deliveryId, options) => caller.call('redeliver', options, { path: { deliveryId } }),
    redeliverFailed: (id, body, options) =>
      caller.call('redeliverFailed', options, { path: { id }, body }),
    redeliverFailedCallbacks: (body, options) =>
      caller.call('redeliverFailedCallbacks', options, { body }),
    getSigningSecret: (options) => caller.call('getSigningSecret', options),
    rotateSigningSecret: (body, options) => caller.call('rotateSigningSecret', options, { body }),
  };
}
