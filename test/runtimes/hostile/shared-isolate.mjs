import { once } from 'node:events';
import { createServer } from 'node:http';
import { Miniflare } from 'miniflare';
import { bundleWorker } from '../bundle.mjs';

const file = 'test/runtimes/hostile/shared-isolate.mjs';
/** Before and after promises could be resolved across requests. */
const dates = ['2023-08-01', '2026-07-01'];

const clientWith = (options) => (baseUrl) =>
  `
import { ContentGen, refreshing } from 'contentgen';
import { paced } from 'contentgen/pacing';

const client = new ContentGen({ baseUrl: '${baseUrl}', logLevel: 'off', ${options} });
async function result() {
  return (await client.content.generate({ prompt: 'p' })).result;
}`;

/** What 40 requests at once share; each of them calls `result()`. */
const shared = {
  'a client': clientWith("apiKey: 'cg_test_key'"),
  'a client with paced()': clientWith(
    "apiKey: 'cg_test_key', middleware: [paced({ concurrency: 5 })]",
  ),
  'a client with refreshing()': clientWith(
    "accessToken: refreshing(() => new Promise((resolve) => setTimeout(resolve, 50, 'jwt')))",
  ),
  'a receiver': () => `
import { createTestRequest, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler } from 'contentgen/webhooks';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const handle = createWebhookHandler({
  secret,
  on: { generation_completed: () => new Promise((resolve) => setTimeout(resolve, 30)) },
});
let deliveries = 0;
async function result() {
  deliveries += 1;
  // Each event comes twice, the second time while the first is being handled.
  const requestId = 'gen_' + Math.ceil(deliveries / 2);
  const event = sampleEvent('generation_completed', { requestId });
  const { status } = await handle(await createTestRequest(event, { secret }));
  return status < 300 || status === 503 ? 'a haiku' : 'status ' + status;
}`,
  // A mock runs all its work in the call that advances its clock, so each request has its own.
  'a module with mocks': () => `
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

async function result() {
  const client = new ContentGen(createMockServer().clientOptions);
  const { requestId } = await client.content.generate({ prompt: 'p' });
  return (await client.content.get(requestId)).status === 'completed' ? 'a haiku' : 'not completed';
}`,
};

/** 40 requests at once share the client or receiver of a Worker's module; the service refuses one of them. */
export async function sharedIsolate(application) {
  const failures = [];
  for (const [name, moduleOf] of Object.entries(shared)) {
    for (const compatibilityDate of dates) {
      const service = await refusesOne();
      application.write('shared.mjs', `${moduleOf(service.url)}\n${worker}`);
      const script = await bundleWorker('shared.mjs', application);
      const isolate = new Miniflare({ modules: true, script, compatibilityDate });
      try {
        const url = await isolate.ready;
        const texts = await Promise.all(
          Array.from({ length: 40 }, async () => (await fetch(url)).text()),
        );
        const error = texts.find((text) => text !== 'a haiku');
        const claim = `${name} serves 40 requests at once (${compatibilityDate})`;
        if (error !== undefined) failures.push({ file, name: claim, error });
      } finally {
        await isolate.dispose();
        service.close();
      }
    }
  }
  return { claims: Object.keys(shared).length * dates.length, skipped: 0, failures };
}

const worker = `
export default {
  async fetch() {
    return new Response(await result().catch(String));
  },
};`;

/** Responds to the fifth request with 429. */
async function refusesOne() {
  let requests = 0;
  const server = createServer(async (request, response) => {
    await Array.fromAsync(request);
    requests += 1;
    const isRefused = requests === 5;
    await new Promise((resolve) => setTimeout(resolve, 30 + (requests % 7) * 10));
    const type = isRefused ? 'application/problem+json' : 'application/json';
    response.writeHead(isRefused ? 429 : 200, {
      'content-type': type,
      ...(isRefused && { 'retry-after': '1' }),
    });
    const done = { requestId: 'gen_1', status: 'completed', result: 'a haiku' };
    response.end(JSON.stringify(isRefused ? { code: 'rate_limited', status: 429 } : done));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
