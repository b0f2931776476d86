import { didYouMean } from '../known-options.ts';
import { now } from '../platform/driver.ts';
import { assertNumber, kindOf, misconfigured } from '../signing/errors.ts';
import { memoryDedupe } from './dedupe/memory.ts';
import { isKnownType, knownTypes, type WebhookEvent } from './events.ts';
import type { CallbackOptions, WebhookCallback, WebhookMiddleware } from './handler-options.ts';
import { type DeliveryResult, type LogFailure, processOnce, type Work } from './process-once.ts';

/** Runs the callback of an event once per key, in all processes that share the dedupe store. */
export interface CallbackRunner {
  run(event: WebhookEvent, key: string, adapt?: AdaptWork): Promise<DeliveryResult>;
}

/** Changes how one event is processed, for instance through a transaction. */
export type AdaptWork = (work: Work) => Work;

/** What `createWebhookHandler` and `createWebhookProcessor` share. @throws WebhookConfigurationError */
export function createCallbackRunner(options: CallbackOptions): CallbackRunner {
  const callbackFor = readCallbacks(options);
  const wrapped = wrapCallbacks(options.middleware);
  const { dedupe = memoryDedupe({ now: options.now ?? now }), storeTimeoutMs = 4000 } = options;
  if (!dedupe?.claim)
    misconfigured(`dedupe is ${kindOf(dedupe)}, not a store`, 'Pass a store: memoryDedupe().');
  assertNumber('storeTimeoutMs', storeTimeoutMs, 10, 'milliseconds');
  const log = createLogFailure(options);
  return {
    run(event, key, adapt = (work) => work) {
      const callback = wrapped(callbackFor(event.type));
      return processOnce(adapt({ dedupe, storeTimeoutMs, key, event, callback, log }));
    },
  };
}

function readCallbacks({ on = {}, onOther }: CallbackOptions) {
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
  return (type: string) =>
    (isKnownType(type) ? callbacks.get(type) : onOther) as WebhookCallback<never> | undefined;
}

/** Logs an error. Never throws: a broken logger must not decide what happens to a delivery. */
export function createLog({ logger = console }: Pick<CallbackOptions, 'logger'>) {
  return (message: string) => {
    try {
      logger.error(message);
    } catch {}
  };
}

/** Logs a failure with the stack of its error. */
export function createLogFailure(options: Pick<CallbackOptions, 'logger'>): LogFailure {
  const log = createLog(options);
  return (message, error) => log(`${message}: ${error instanceof Error ? error.stack : error}`);
}

/** Wraps callbacks in the middleware. @throws WebhookConfigurationError unless it is a list of functions */
function wrapCallbacks(
  middleware: readonly WebhookMiddleware[] = [],
): (callback: WebhookCallback<never> | undefined) => WebhookCallback<never> | undefined {
  if (!Array.isArray(middleware))
    misconfigured(`middleware is ${kindOf(middleware)}`, 'Pass a list of functions.');
  for (const [index, layer] of middleware.entries()) {
    if (typeof layer !== 'function')
      misconfigured(`middleware ${index + 1} is ${kindOf(layer)}`, 'Pass a function.');
  }
  return (callback) => callback && middleware.reduceRight(wrap, callback);
}

const wrap = (
  callback: WebhookCallback<never>,
  layer: WebhookMiddleware,
): WebhookCallback<never> => {
  return (event, context) =>
    layer(
      event,
      async () => {
        await callback(event, context);
      },
      context,
    );
};
