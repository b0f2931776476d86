import { createWebhookHandler, type WebhookHandlerOptions } from 'contentgen/webhooks';
import { expect, vi } from 'vitest';
import { delivery, now, recorder, secret, usage } from './support.ts';

/** The callback for `usage_threshold`. */
export const callback = vi.fn();

/** A handler with the secret and clock of these tests, and a callback that was never called. */
export function make(options: Partial<WebhookHandlerOptions> = {}) {
  callback.mockReset();
  return createWebhookHandler({
    secret,
    now,
    logger: recorder(),
    on: { usage_threshold: callback },
    ...options,
  });
}

/** Posts a signed delivery. */
export async function post(url: string, change: (body: string) => string = (body) => body) {
  const { body, headers } = await delivery(usage);
  return fetch(url, {
    method: 'POST',
    body: change(body),
    headers: { ...headers, 'content-type': 'application/json' },
  });
}

/** Valid, duplicated and tampered requests, which every adapter must handle. */
export async function expectReceiver(url: string): Promise<void> {
  expect((await post(url)).status).toBe(200);
  const again = await post(url);
  expect([again.status, await again.json()]).toEqual([200, { status: 'duplicate' }]);
  const forged = await post(url, (body) => `${body} `);
  expect([forged.status, await forged.json()]).toEqual([400, { code: 'signature_mismatch' }]);
  expect(callback).toHaveBeenCalledTimes(1);
  expect(callback.mock.calls[0]?.[0]).toMatchObject({ type: 'usage_threshold', payload: usage });
}
