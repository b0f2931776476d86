import type { WebhookContext, WebhookEvent, WebhookHandlerOptions } from 'contentgen/webhooks';
import { vi } from 'vitest';
import { gate, makeHandler, recorder, request, toData, usage } from './support.ts';

/** A handler with a callback for `usage_threshold`, its logger, and what sends it a delivery. */
export function setUp(options: Partial<WebhookHandlerOptions> = {}) {
  const callback = vi.fn<(event: WebhookEvent, context: WebhookContext) => unknown>();
  const logger = recorder();
  const on = 'enqueue' in options ? {} : { on: { usage_threshold: callback } };
  const handler = makeHandler({ logger, ...on, ...options });
  const send = async (
    payload: unknown = usage,
    signing?: Parameters<typeof request>[1],
    init?: Parameters<typeof request>[2],
  ) => toData(handler(await request(payload, signing, init)));
  return { handler, callback, logger, send };
}

/** The same, with a first delivery whose callback has begun and does not end until `open` is called. */
export async function setUpHeld(options: Partial<WebhookHandlerOptions> = {}) {
  const held = gate();
  const given = setUp(options);
  given.callback.mockImplementationOnce(held.callback);
  const first = given.send();
  await held.entered;
  const [[, { signal }]] = given.callback.mock.calls as [[WebhookEvent, WebhookContext]];
  return { ...given, first, signal, open: held.open };
}
