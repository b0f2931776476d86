import type { WebhookContext, WebhookEvent, WebhookHandlerOptions } from 'contentgen/webhooks';
import { vi } from 'vitest';
import { makeHandler, recorder, request, toData, usage } from './support.ts';

/** A handler with a callback for `usage_threshold`, its logger, and what sends it a delivery. */
export function setUp(options: Partial<WebhookHandlerOptions> = {}) {
  const callback = vi.fn<(event: WebhookEvent, context: WebhookContext) => unknown>();
  const logger = recorder();
  const handler = makeHandler({ logger, on: { usage_threshold: callback }, ...options });
  const send = async (
    payload: unknown = usage,
    signing?: Parameters<typeof request>[1],
    init?: Parameters<typeof request>[2],
  ) => toData(handler(await request(payload, signing, init)));
  return { handler, callback, logger, send };
}
