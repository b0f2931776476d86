import { kindOf, misconfigured } from '../signing/errors.ts';
import type { WebhookCallback, WebhookMiddleware } from './handler-options.ts';

/** Wraps callbacks in the middleware. @throws WebhookConfigurationError unless it is a list of functions */
export function wrapCallbacks(
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
