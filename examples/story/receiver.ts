import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createWebhookHandler,
  type WebhookEventOf,
  type WebhookHandler,
} from '../../src/webhooks/index.ts';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';

/** A delivery as it arrived, and the status of the response. */
export interface Delivery {
  readonly path: Path;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly status: number;
}

type Path = '/callbacks' | '/events';
type StoryEvent = 'usage_threshold' | 'invoice_paid';

export interface Receiver {
  readonly url: string;
  /** Feeds `job.wait({ results })`. */
  readonly callbacks: WebhookHandler;
  /** The first delivery to a path. Polling can complete a generation before its callback arrives. */
  firstDelivery(path: Path): Promise<Delivery>;
  event<Type extends StoryEvent>(type: Type): Promise<WebhookEventOf<Type>>;
  close(): Promise<void>;
}

/** An application's own endpoint: callbacks on `/callbacks`, system events on `/events`. */
export async function startReceiver(options: {
  callbackSecret: string;
  hookSecret: () => string;
}): Promise<Receiver> {
  const first = {
    '/callbacks': Promise.withResolvers<Delivery>(),
    '/events': Promise.withResolvers<Delivery>(),
  };
  const events = {
    usage_threshold: Promise.withResolvers<WebhookEventOf<'usage_threshold'>>(),
    invoice_paid: Promise.withResolvers<WebhookEventOf<'invoice_paid'>>(),
  };
  // The story forges a delivery on purpose, so nobody needs the reasons in the log.
  const callbacks = createWebhookHandler({
    secret: options.callbackSecret,
    on: {},
    logger: { ...console, diagnose: false },
  });
  const notifications = createWebhookHandler({
    secret: () => options.hookSecret(),
    on: {
      usage_threshold: (event) => events.usage_threshold.resolve(event),
      invoice_paid: (event) => events.invoice_paid.resolve(event),
    },
  });
  const recorded = (path: Path, handler: WebhookHandler) =>
    toNodeHandler(async (request) => {
      const body = Buffer.from(await request.clone().arrayBuffer());
      const response = await handler(request);
      const headers = Object.fromEntries(request.headers);
      first[path].resolve({ path, headers, body, status: response.status });
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
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    callbacks,
    firstDelivery: (path) => inTime(first[path].promise, `No delivery arrived at ${path}`),
    event: (type) => inTime(events[type].promise as Promise<never>, `No ${type} event arrived`),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Resends a delivery with one byte of its body changed, as a forger would. */
export async function sendTampered(
  url: string,
  { path, headers, body }: Delivery,
): Promise<{ status: number; code: string }> {
  const tampered = Buffer.from(body);
  tampered[tampered.length - 2] = (tampered[tampered.length - 2] ?? 0) ^ 1;
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-service-signature'];
  const response = await fetch(url + path, {
    method: 'POST',
    headers: Object.fromEntries(
      ['content-type', ...signed].map((name) => [name, headers[name] ?? '']),
    ),
    body: tampered,
  });
  const { code } = (await response.json()) as { code: string };
  return { status: response.status, code };
}

async function inTime<T>(promise: Promise<T>, failure: string): Promise<T> {
  const seconds = 30;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`${failure} within ${seconds} seconds.`)),
    seconds * 1000,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
