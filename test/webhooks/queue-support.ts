import {
  createWebhookProcessor,
  type Enqueue,
  memoryDedupe,
  type WebhookMessage,
} from 'contentgen/webhooks';
import { vi } from 'vitest';
import { makeHandler, recorder, request, usage } from './support.ts';

/** A handler over a queue: `deliver` sends a signed delivery and resolves to the status. */
export function receiver(enqueue: Enqueue) {
  const logger = recorder();
  const handler = makeHandler({ enqueue, logger });
  return {
    logger,
    deliver: async (id: string, payload: unknown = usage) =>
      (await handler(await request(payload, { id }))).status,
  };
}

/** A processor that keeps the ids passed to its callback. */
export function recordingProcessor() {
  const seen: string[] = [];
  const processor = createWebhookProcessor({
    dedupe: memoryDedupe(),
    logger: recorder(),
    on: { usage_threshold: ({ id }) => void seen.push(id) },
  });
  return { seen, processor };
}

/** A message as `enqueue` receives it. */
export const message = (key: string): WebhookMessage => ({
  version: 1,
  id: 'msg_1',
  type: 'usage_threshold',
  key,
  body: JSON.stringify(usage),
});

/** Resolves once `isTrue` holds, which it checks every few milliseconds. */
export const until = (isTrue: () => unknown) =>
  vi.waitUntil(async () => isTrue(), { timeout: 30_000, interval: 20 });
