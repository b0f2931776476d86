import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  type ConformanceOptions,
  type ConformanceReport,
  createConformanceReceiver,
  runConformance,
} from '../../../src/testing/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
import type { Served } from './service.ts';

/** Serves a fetch handler on a loopback port until the test ends; resolves to its URL. */
export async function receiveAt(handle: (request: Request) => Promise<Response>): Promise<string> {
  const server: Server = createServer(toNodeHandler(handle));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`;
}

/** Examines a service with everything that conform can use, and closes it after the test. */
export async function examine(
  service: Served,
  more: Partial<ConformanceOptions> = {},
): Promise<ConformanceReport> {
  onTestFinished(() => service.close());
  let handle = async (_: Request) => new Response();
  const receiver = createConformanceReceiver(await receiveAt((request) => handle(request)));
  handle = receiver.handle;
  return runConformance({
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    secret: service.secret,
    receiver,
    allowWrites: true,
    timeoutMs: 10_000,
    ...more,
  });
}
