import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createWebhookHandler,
  type WebhookEventOf,
  type WebhookHandler,
} from '../../src/webhooks/index.ts';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';

interface Received {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  status: number;
}

type StoryEvent = 'usage_threshold' | 'invoice_paid';

export interface Receiver {
  readonly url: string;
  /** Feeds `job.wait({ results })`. */
  readonly callbacks: WebhookHandler;
  lastReceived(path: string): Received;
  replayTampered(received: Received): Promise<{ status: number; code: string }>;
  event<Type extends StoryEvent>(type: Type): Promise<WebhookEventOf<Type>>;
  close(): Promise<void>;
}

/** An application's own endpoint: callbacks on `/callbacks`, system events on `/events`. */
export async function startReceiver(options: {
  callbackSecret: string;
  hookSecret: () => string;
}): Promise<Receiver> {
  const received: Received[] = [];
  const events = {
    usage_threshold: Promise.withResolvers<WebhookEventOf<'usage_threshold'>>(),
    invoice_paid: Promise.withResolvers<WebhookEventOf<'invoice_paid'>>(),
  };
  const callbacks = createWebhookHandler({ secret: options.callbackSecret, on: {} });
  const notifications = createWebhookHandler({
    secret: () => options.hookSecret(),
    on: {
      usage_threshold: (event) => events.usage_threshold.resolve(event),
      invoice_paid: (event) => events.invoice_paid.resolve(event),
    },
  });
  const recorded = (path: string, handler: WebhookHandler) =>
    toNodeHandler(async (request) => {
      const body = Buffer.from(await request.clone().arrayBuffer());
      const response = await handler(request);
      received.push({
        path,
        headers: Object.fromEntries(request.headers),
        body,
        status: response.status,
      });
      return response;
    });
  const routes = new Map([
    ['/callbacks', recorded('/callbacks', callbacks)],
    ['/events', recorded('/events', notifications)],
  ]);
  const server = createServer((request, response) => {
    const route = routes.get(request.url ?? '/');
    if (route === undefined) return void response.writeHead(404).end();
    route(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    callbacks,
    lastReceived(path) {
      const last = received.findLast((each) => each.path === path);
      if (last === undefined) throw new Error(`Nothing arrived at ${path}`);
      return last;
    },
    async replayTampered({ path, headers, body }) {
      const forged = Buffer.from(body);
      forged[forged.length - 2] = (forged[forged.length - 2] ?? 0) ^ 1;
      const kept = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const response = await fetch(url + path, {
        method: 'POST',
        headers: Object.fromEntries(
          [...kept, 'x-service-signature'].map((name) => [name, headers[name] ?? '']),
        ),
        body: forged,
      });
      const answer = (await response.json()) as { code: string };
      return { status: response.status, code: answer.code };
    },
    event: (type) => events[type].promise as Promise<never>,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
