import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookHandler, type WebhookHandlerOptions } from 'contentgen/webhooks';
import { afterEach, expect, vi } from 'vitest';
import { delivery, now, recorder, secret, usage } from './support.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Serves a listener until the test ends; returns its address. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The callback for `usage_threshold`. */
export const callback = vi.fn();
afterEach(() => callback.mockReset());
/** A handler with the secret and clock of these tests. */
export const make = (options: Partial<WebhookHandlerOptions> = {}) =>
  createWebhookHandler({
    secret,
    now,
    logger: recorder(),
    on: { usage_threshold: callback },
    ...options,
  });

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
