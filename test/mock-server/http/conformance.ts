import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { MockServer } from '../../../mock-server/composition/mock-server.ts';
import type { Generator } from '../../../mock-server/domain/ports.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { endless } from './endless.ts';
import { type CallInit, faultConformance } from './fault-conformance.ts';

/** One way to reach a mock. */
export interface Environment {
  readonly mock: MockServer;
  /** Where requests go; not always the mock's own `baseUrl`. */
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  close(): unknown;
}

export interface ConformanceOptions {
  /** A browser cannot send some headers and methods, and hides some failures. @default false */
  readonly browser?: boolean;
  /** msw 2 keeps a copy of every body for its events, so it does not notice when only the other copy is canceled. @default true */
  readonly bodyCancels?: boolean;
}

const generate = '/api/ai/content/generate';

async function readOn(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
  while (!(await reader?.read())?.done);
}

/**
 * What every adapter must do: the same claims over `mock.fetch`, interception, a socket and a service worker.
 *
 * `setup` creates a fresh mock on the manual clock for each claim, with the given generator.
 */
export function conformance(
  name: string,
  setup: (options: {
    generator?: Generator;
    streamGrace?: number;
  }) => Environment | Promise<Environment>,
  { browser = false, bodyCancels = true }: ConformanceOptions = {},
): void {
  let env: Environment;
  beforeEach(async () => {
    env = await setup({});
  });
  afterEach(() => env.close());

  const call = (path: string, init: CallInit = {}) => {
    const { key = env.mock.adminKey, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (key !== null) headers.set('X-API-Key', key);
    if (rest.body !== undefined && !headers.has('content-type')) {
      headers.set('content-type', 'application/json');
    }
    return env.fetch(env.baseUrl + path, { ...rest, headers });
  };
  const post = (path: string, body: unknown, init: CallInit = {}) =>
    call(path, { method: 'POST', body: JSON.stringify(body), ...init });

  describe(`${name}: responses`, () => {
    test('a generation arrives complete, with the headers of every response', async () => {
      const response = await post(generate, { prompt: 'Ein Haiku ✓', metadata: { a: 'é' } });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(response.headers.get('x-request-id')).toMatch(/^req_/);
      expect(response.headers.get('api-version')).toBe('2');
      const generation = await response.json();
      expect(generation).toMatchObject({ status: 'completed', metadata: { a: 'é' } });
      expect(generation.usage.totalTokens).toBeGreaterThan(1);
      const stored = await call(`${generate}/${generation.requestId}`);
      expect(await stored.json()).toEqual(generation);
    });

    test('both prefixes and the alias reach the same service', async () => {
      const created = await post('/v2/api-keys/generate', { name: 'alias' });
      expect(created.status).toBe(201);
      const { key } = await created.json();
      expect((await call(`/v2${generate}`, { key })).status).toBe(200);
      expect((await call(generate, { key })).status).toBe(200);
    });

    test('the caller’s request id is echoed', async () => {
      const response = await call('/api/usage', { headers: { 'X-Request-Id': 'trace.1_a-b' } });
      expect(response.headers.get('x-request-id')).toBe('trace.1_a-b');
    });

    test('queries and cursors return every row once, while rows are added', async () => {
      const made = [];
      for (let n = 0; n < 5; n += 1) {
        made.push((await (await post(generate, { prompt: `row ${n}` })).json()).requestId);
      }
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await (await call(`${generate}?limit=2${query}`)).json();
        seen.push(...page.data.map((row: { requestId: string }) => row.requestId));
        cursor = page.nextCursor;
        await post(generate, { prompt: 'late' });
      } while (cursor !== null);
      expect(seen).toEqual(made.reverse());
    });

    test('204 has no body, HEAD has the headers of GET and no body', async () => {
      const url = 'https://app.example/hooks';
      const hook = await (await post('/api/webhooks', { event: 'data_updated', url })).json();
      const deleted = await call(`/api/webhooks/${hook.id}`, { method: 'DELETE' });
      expect(deleted.status).toBe(204);
      expect(await deleted.text()).toBe('');
      const head = await call('/api/usage', { method: 'HEAD' });
      expect(head.status).toBe(200);
      expect(head.headers.get('x-request-id')).toBeTruthy();
      expect(await head.text()).toBe('');
    });
  });

  describe(`${name}: rejections`, () => {
    test('without credentials every path responds with the same 401', async () => {
      for (const path of ['/api/usage', '/api/nowhere', `${generate}/gen_1`]) {
        const response = await call(path, { key: null });
        expect(response.status, path).toBe(401);
        expect(response.headers.get('www-authenticate')).toContain('ApiKey');
        expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
        expect(await response.json()).toMatchObject({ status: 401, code: 'missing_credentials' });
      }
    });

    test('unknown paths are 404, unknown methods 405 with Allow', async () => {
      const lost = await call('/api/nowhere/%2e%2e/x');
      expect([lost.status, (await lost.json()).code]).toEqual([404, 'not_found']);
      const wrong = await call('/api/usage', { method: 'DELETE' });
      expect([wrong.status, (await wrong.json()).code]).toEqual([405, 'method_not_allowed']);
      expect(wrong.headers.get('allow')).toMatch(/GET/);
    });

    const large = `"${'x'.repeat(1024 * 1024)}"`;
    test.each([
      ['malformed JSON', '{"prompt":', 400, 'invalid_json'],
      ['another media type', 'prompt=x', 415, 'unsupported_media_type'],
      ['a body over 1 MiB', large, 413, 'payload_too_large'],
      ['an unknown field', '{"prompt":"x","nope":1}', 422, 'validation_failed'],
    ])('%s is rejected as the contract says', async (_, body, status, code) => {
      const type = body.startsWith('prompt=') ? 'x-www-form-urlencoded' : 'json';
      const headers = { 'content-type': `application/${type}` };
      const response = await call(generate, { method: 'POST', body, headers });
      expect([response.status, (await response.json()).code]).toEqual([status, code]);
    });

    test.skipIf(browser)('a preflight needs no credentials, any other OPTIONS does', async () => {
      const preflight = await call(generate, {
        key: null,
        method: 'OPTIONS',
        headers: { Origin: 'https://page.example', 'Access-Control-Request-Method': 'POST' },
      });
      expect(preflight.status).toBeLessThan(300);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect((await call(generate, { method: 'OPTIONS' })).status).toBe(405);
    });
  });

  describe(`${name}: streams`, () => {
    test('deltas come first, then exactly one end event with the complete generation', async () => {
      const response = await post(generate, { prompt: 'stream it', stream: true });
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      const blocks = (await response.text())
        .split('\n\n')
        .filter((block) => block.startsWith('id:'));
      const events = blocks.map((block) => {
        const [, type = '', data = ''] = /^id: .*\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
        return { type, data: JSON.parse(data) };
      });
      const end = events.pop();
      expect(events.shift()?.type).toBe('generation.started');
      expect(end?.type).toBe('generation.completed');
      expect(events.length).toBeGreaterThan(0);
      expect(events.every(({ type }) => type === 'generation.delta')).toBe(true);
      expect(events.map(({ data }) => data.delta).join('')).toBe(end?.data.result);
    });

    const ways = ['aborts the call', ...(bodyCancels ? ['cancels the body'] : [])];
    test.each(ways)('a client that %s cancels its generation after streamGrace', async (how) => {
      await env.close();
      env = await setup({ generator: endless, streamGrace: 0 });
      const controller = new AbortController();
      const { signal } = controller;
      const response = await post(generate, { prompt: 'go on', stream: true }, { signal });
      const reader = response.body?.getReader();
      const first = await reader?.read();
      expect(new TextDecoder().decode(first?.value)).toContain('generation.started');
      if (how === 'cancels the body') await reader?.cancel();
      else {
        controller.abort();
        await expect(readOn(reader)).rejects.toMatchObject({ name: 'AbortError' });
      }
      await expect
        .poll(async () => (await (await call(generate)).json()).data[0].status, { timeout: 5000 })
        .toBe('canceled');
    });

    test('a stream that a reset breaks off does not look complete', async () => {
      await env.close();
      env = await setup({ generator: endless });
      const response = await post(generate, { prompt: 'go on', stream: true });
      const reader = response.body?.getReader();
      await reader?.read();
      env.mock.reset();
      await expect(readOn(reader)).rejects.toThrow();
    });

    test('an aborted call rejects with AbortError', async () => {
      env.mock.faults.add({ operation: 'getUsage', effect: { stall: true } });
      const controller = new AbortController();
      const { signal } = controller;
      const stalled = call('/api/usage', { signal }).then((response) => response.text());
      setTimeout(() => controller.abort(), 50);
      await expect(stalled).rejects.toMatchObject({ name: 'AbortError' });
    });

    test('a call aborted before its response is not reported as an error of the server', async () => {
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
      onTestFinished(() => printed.mockRestore());
      await env.close();
      let started = () => {};
      const running = new Promise<void>((resolve) => {
        started = resolve;
      });
      env = await setup({
        async *generator(_, { signal }) {
          started();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          yield 'late';
        },
      });
      const controller = new AbortController();
      const response = post(generate, { prompt: 'x' }, { signal: controller.signal });
      await running;
      controller.abort();
      await expect(response).rejects.toMatchObject({ name: 'AbortError' });
      env.mock.reset();
      await env.mock.settle();
      expect(printed.mock.calls).toEqual([]);
    });
  });

  faultConformance(name, { env: () => env, call, post });

  describe(`${name}: callbacks`, () => {
    test('a callback reaches a function, signed, and the receiver verifies it', async () => {
      const received: unknown[] = [];
      const url = 'https://app.example/callbacks';
      env.mock.receivers.set(
        url,
        createWebhookHandler({
          secret: env.mock.signingSecret,
          now: env.mock.clock.now,
          on: { generation_completed: (event) => void received.push(event.payload) },
        }),
      );
      const response = await post(generate, { prompt: 'later', webhookUrl: url });
      expect(response.status).toBe(202);
      const { requestId, ...acknowledgement } = await response.json();
      expect(requestId).toMatch(/^gen_/);
      expect(acknowledgement).toEqual({ status: 'processing' });
      await env.mock.settle();
      expect(received).toMatchObject([{ requestId, status: 'completed' }]);
      const log = await (await call(`/api/webhooks/deliveries?requestId=${requestId}`)).json();
      const attempts = [{ status: 200 }];
      expect(log.data).toMatchObject([{ status: 'delivered', requestId, attempts }]);
    });
  });
}
