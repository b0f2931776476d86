import { didYouMean } from '../known-options.ts';
import { kindOf, misconfigured } from '../signing/errors.ts';
import { isKnownType, knownTypes } from './events.ts';
import type { CallbackOptions, WebhookCallback, WebhookMiddleware } from './handler-options.ts';

/** A callback of any type of event. */
export type AnyCallback = WebhookCallback<never>;

/**
 * The callback for each type of event, wrapped in the middleware.
 *
 * @throws WebhookConfigurationError when a type is unknown, or a callback or a middleware is not a function
 */
export function readCallbacks({
  on = {},
  onOther,
  middleware = [],
}: CallbackOptions): (type: string) => AnyCallback | undefined {
  if (typeof on !== 'object' || on === null || Array.isArray(on))
    misconfigured(`on is ${kindOf(on)}`, 'Pass an object: on: { generation_completed: … }.');
  const callbacks = new Map<string, unknown>(Object.entries(on));
  for (const [type, callback] of callbacks) {
    if (!isKnownType(type))
      misconfigured(
        `on.${type} is not an event type`,
        `${didYouMean(type, knownTypes).trim() || 'Check the spelling.'} Types of later versions go to onOther.`,
      );
    if (typeof callback !== 'function')
      misconfigured(`on.${type} is ${kindOf(callback)}`, 'Pass a function.');
  }
  if (onOther && typeof onOther !== 'function')
    misconfigured(`onOther is ${kindOf(onOther)}`, 'Pass a function.');
  if (!Array.isArray(middleware))
    misconfigured(`middleware is ${kindOf(middleware)}`, 'Pass a list of functions.');
  for (const [index, layer] of middleware.entries()) {
    if (typeof layer !== 'function')
      misconfigured(`middleware ${index + 1} is ${kindOf(layer)}`, 'Pass a function.');
  }

  return (type) => {
    const callback = isKnownType(type) ? callbacks.get(type) : onOther;
    return callback && middleware.reduceRight(wrap, callback as AnyCallback);
  };
}

function wrap(callback: AnyCallback, layer: WebhookMiddleware): AnyCallback {
  return (event, context) => {
    const next = async () => {
      await callback(event, context);
    };
    return layer(event, next, context);
  };
}
