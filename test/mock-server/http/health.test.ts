import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import {
  createMockServer,
  type MockServerOptions,
  memoryStore,
} from '../../../mock-server/index.ts';
import type {
  Candidate,
  LeaderFacts,
  SharedStore,
} from '../../../mock-server/stores/shared-store.ts';

/** The part of the server that a standby reads; the tests do not use it. */
const home = { organization: {}, project: {} } as NonNullable<LeaderFacts['home']>;

async function served(options: MockServerOptions = {}) {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  const server = await serve(mock, { port: 0 });
  onTestFinished(async () => {
    await server.close({ graceMs: 0 });
    await mock.close();
  });
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
  const generate = (prompt: string, webhookUrl?: string) =>
    fetch(`${server.url}/api/ai/content/generate`, {
      method: 'POST',
      headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt, webhookUrl }),
    });
  return { mock, url: server.url, metrics, generate };
}

test('/health is ok without credentials', async () => {
  const { url } = await served();
  const response = await fetch(`${url}/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: 'ok', uptimeSeconds: expect.any(Number) });
});

test('/health is 503 while changes cannot be saved', async () => {
  let full = false;
  const flushed = () => (full ? Promise.reject(new Error('disk full')) : undefined);
  const { url } = await served({ store: { ...memoryStore(), flushed } });
  full = true;
  const response = await fetch(`${url}/health`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ status: 'unavailable' });
});

test('/health of a standby is 503 while there is no leader', async () => {
  let candidate: Candidate | undefined;
  const store: SharedStore = {
    join(joined) {
      candidate = joined;
      joined.onStandby({ url: 'http://10.0.0.1:4010', home });
      return { advertise() {}, close: async () => {} };
    },
  };
  const { url } = await served({ store, onError: () => {} });
  const status = async () => (await fetch(`${url}/health`)).status;
  expect(await status()).toBe(200);
  candidate?.onError(new Error('The database is gone.'));
  const response = await fetch(`${url}/health`);
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: 'unavailable', uptimeSeconds: expect.any(Number), detail: expect.any(String) },
  ]);
  const duringTakeover = status();
  candidate?.onStandby({ url: 'http://10.0.0.2:4010', home });
  expect(await duringTakeover).toBe(200);
});

test('/metrics counts requests, generations and deliveries, and names no tenant', async () => {
  const { mock, metrics, generate } = await served();
  mock.receivers.set('https://app.example/cb', () => new Response(null, { status: 500 }));
  await generate('a haiku');
  await generate('another', 'https://app.example/cb');
  await generate('');
  await mock.settle();
  const text = await metrics();
  for (const line of [
    'contentgen_requests_total{operation="generateContent",status="200",code=""} 1',
    'contentgen_requests_total{operation="generateContent",status="202",code=""} 1',
    'contentgen_requests_total{operation="generateContent",status="422",code="validation_failed"} 1',
    'contentgen_request_duration_seconds_bucket{operation="generateContent",le="+Inf"} 3',
    'contentgen_request_duration_seconds_count{operation="generateContent"} 3',
    'contentgen_generations_total{state="completed"} 2',
    'contentgen_deliveries_total{state="created"} 1',
    'contentgen_delivery_attempts_total{event="generation_completed",outcome="status"} 1',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(text).not.toMatch(/org_|prj_|cg_test_|haiku/);
});

test('/metrics is valid Prometheus text', async () => {
  const { metrics, generate } = await served();
  await generate('a haiku');
  const text = await metrics();
  const sample =
    /^[a-z_]+(?:\{[a-z]+="[^"\n]*"(?:,[a-z]+="[^"\n]*")*\})? -?\d+(?:\.\d+)?(?:e-?\d+)?$/;
  const comment = /^# (?:HELP [a-z_]+ .+|TYPE [a-z_]+ (?:counter|gauge|histogram))$/;
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.trimEnd().split('\n')) {
    expect(sample.test(line) || comment.test(line), line).toBe(true);
  }
});
