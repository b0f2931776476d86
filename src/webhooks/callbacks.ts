import { didYouMean } from '../options/did-you-mean.ts';
import { callback, checkedLater, listOf, mustBe, type OptionRules } from '../options/rules.ts';
import { isFunction, isObject } from '../options/values.ts';
import { finite, kindOf, misconfigured } from '../signing/errors.ts';
import { isKnownType, knownTypes } from './events.ts';
import type { CallbackOptions, WebhookCallback, WebhookMiddleware } from './handler-options.ts';

export const callbackRules: OptionRules<CallbackOptions> = {
  on: mustBe('an object: on: { generation_completed: … }', isObject),
  onOther: callback,
  dedupe: mustBe('a store: memoryDedupe()', (store) => isFunction(Object(store).claim)),
  storeTimeoutMs: finite('milliseconds', 10),
  maxHandlingMs: finite('milliseconds', 10),
  middleware: listOf('functions', isFunction),
  logger: checkedLater,
  now: callback,
};

export type AnyCallback = WebhookCallback<never>;

/** @throws WebhookConfigurationError when a type is unknown, or its callback is not a function */
export function readCallbacks({
  on = {},
  onOther,
  middleware = [],
}: CallbackOptions): (type: string) => AnyCallback | undefined {
  const callbacks = new Map<string, unknown>(Object.entries(on));
  for (const [type, given] of callbacks) {
    if (!isKnownType(type))
      misconfigured(
        `on.${type} is not an event type`,
        `${didYouMean(type, knownTypes).trim()} All other types go to onOther.`.trim(),
      );
    if (typeof given !== 'function')
      misconfigured(`on.${type} is ${kindOf(given)}`, 'Pass a function.');
  }
  return (type) => {
    const found = (callbacks.get(type) ?? onOther) as AnyCallback | undefined;
    return found && middleware.reduceRight(wrap, found);
  };
}

function wrap(inner: AnyCallback, layer: WebhookMiddleware): AnyCallback {
  return (event, context) => {
    const next = async () => {
      await inner(event, context);
    };
    return layer(event, next, context);
  };
}
