import { createMockServer, type MockServerOptions } from '../../mock-server/index.ts';
import {
  type ConformanceOptions,
  createConformanceReceiver,
  runConformance,
} from '../../src/testing/index.ts';

/** Examines a reference server in this process with everything that conform can use, and closes it. */
export async function examineMock(
  options: MockServerOptions,
  more: Partial<ConformanceOptions> = {},
) {
  const mock = createMockServer({
    ...{ seed: 1, processingTime: 20, rateLimit: { limit: 200, windowSeconds: 1 } },
    ...options,
  });
  const receiver = createConformanceReceiver('https://conform.example/callbacks');
  mock.receivers.set(receiver.url, receiver.handle);
  const report = await runConformance({
    ...{ baseUrl: mock.baseUrl, apiKey: mock.adminKey, secret: mock.signingSecret, receiver },
    ...{ fetch: (request: Request) => mock.fetch(request), allowWrites: true },
    ...more,
  });
  await mock.close();
  return { mock, report };
}
