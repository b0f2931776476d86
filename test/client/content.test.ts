import { describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  completed,
  recorded,
  scriptedService,
  stopClock,
  turns,
  until,
  useService,
} from './support/service.ts';

const retryAfter = (seconds: number) => ({ 'retry-after': `${seconds}` });
const processing = {
  requestId: 'gen_1',
  status: 'processing',
  model: 'content-1',
  createdAt: completed.createdAt,
};
const acknowledged = { status: 202, json: { status: 'processing', requestId: 'gen_1' } };

describe('an asynchronous generation', () => {
  const service = useService();

  const start = async (options = {}) => {
    service.script(acknowledged);
    const { client } = clientOf(service, options);
    const job = await client.content.generate({
      prompt: 'p',
      webhookUrl: 'https://app.example/cb',
    });
    service.seen.length = 0;
    return { client, job };
  };
  /** Moves the stopped clock poll by poll: each poll gets its response before the wait after it passes. */
  const pass = async (polls: number, pauseMs: number) => {
    for (let poll = 1; poll <= polls; poll += 1) {
      await until(() => service.seen.length >= poll);
      await turns();
      vi.advanceTimersByTime(pauseMs);
    }
  };

  test('is a job that survives JSON', async () => {
    const { client, job } = await start();
    expect(job).toMatchObject({ status: 'processing', requestId: 'gen_1' });
    const text = JSON.stringify(job);
    for (const copy of [JSON.parse(text), structuredClone(job), { ...job }])
      expect(copy).toEqual({ status: 'processing', requestId: 'gen_1' });
    service.script({ json: completed });
    const result = await client.content.resume(JSON.parse(text)).wait();
    expect(result.result).toBe('a haiku');
    expect(service.seen[0]).toMatchObject({
      method: 'GET',
      path: '/api/ai/content/generate/gen_1',
    });
  });

  test('cancel() ends it', async () => {
    const { job } = await start();
    service.script({ json: { ...completed, status: 'canceled' } });
    expect(await job.cancel()).toMatchObject({ status: 'canceled' });
    expect(service.seen[0]?.path).toBe('/api/ai/content/generate/gen_1/cancel');
  });

  test("the service's Retry-After takes precedence over the client's interval", async () => {
    stopClock();
    const { job } = await start();
    service.script({ json: processing, headers: retryAfter(30) }, { json: completed });
    const waiting = job.wait();
    await pass(1, 29_999);
    await turns();
    expect(service.seen).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await waiting;
    expect(service.seen).toHaveLength(2);
  });

  test('an unknown status is logged once, and the wait continues', async () => {
    stopClock();
    const { lines, logger } = recorded();
    const { job } = await start({ logger, logLevel: 'warn' });
    const odd = { json: { ...processing, status: 'postponed' } };
    service.script(odd, odd, odd, { json: completed });
    const waiting = job.wait();
    await pass(3, 12_000);
    expect((await waiting).result).toBe('a haiku');
    expect(lines).toHaveLength(1);
  });

  test.each([
    ['failed', 'generation_failed'],
    ['canceled', 'generation_canceled'],
  ])('wait() rejects with the reason when it is %s', async (status, code) => {
    const { job } = await start();
    const error = { code: 'model_overloaded', message: 'quoted prompt' };
    service.script({ json: { ...processing, status, error } });
    const outcome = await job.wait().catch((thrown: unknown) => thrown);
    expect(outcome).toMatchObject({
      name: 'GenerationFailedError',
      code,
      generation: { requestId: 'gen_1', status, error },
    });
    expect((outcome as Error).message).toContain('model_overloaded');
    expect((outcome as Error).message).toMatch(/\. The service says: .*quoted prompt/);
    expect(JSON.stringify(outcome)).not.toContain('quoted prompt');
  });

  test('the signal ends the wait at once', async () => {
    stopClock();
    const { job } = await start();
    const controller = new AbortController();
    service.script({ json: processing, headers: retryAfter(3600) });
    const waiting = job.wait({ signal: controller.signal }).catch((thrown: unknown) => thrown);
    await until(() => service.seen.length >= 1);
    controller.abort('enough');
    expect(await waiting).toMatchObject({ name: 'AbortedError', cause: 'enough' });
  });

  describe('with a result source', () => {
    /** A source, and a job that waits for it after a first poll. */
    const waitWith = async () => {
      const { job } = await start();
      const arrived = Promise.withResolvers<{ type: string; payload: unknown }>();
      const waitFor = vi.fn((_: string, __: { signal: AbortSignal }) => arrived.promise);
      service.script({ json: processing, headers: retryAfter(5) }, { json: completed });
      const waiting = job.wait({ results: { waitFor } }).catch((thrown: unknown) => thrown);
      await until(() => service.seen.length >= 1);
      const [[requestId, { signal }]] = waitFor.mock.calls as [[string, { signal: AbortSignal }]];
      return { waiting, requestId, signal, ...arrived };
    };

    test("settles at once and aborts the source's signal", async () => {
      const { waiting, requestId, signal, resolve } = await waitWith();
      expect(requestId).toBe('gen_1');
      const payload = { result: 'by callback', model: 'm', usage: { totalTokens: 1 } };
      resolve({ type: 'generation_completed', payload });
      expect(await waiting).toMatchObject({
        requestId: 'gen_1',
        status: 'completed',
        result: 'by callback',
      });
      expect(signal.aborted).toBe(true);
      expect(service.seen).toHaveLength(1);
    });

    test('a generation_failed callback rejects the wait', async () => {
      const { waiting, resolve } = await waitWith();
      const payload = { requestId: 'gen_1', error: { code: 'c', message: 'm' } };
      resolve({ type: 'generation_failed', payload });
      expect(await waiting).toMatchObject({
        name: 'GenerationFailedError',
        generation: { error: { code: 'c' } },
      });
    });

    test('that delivers another event leaves the result to polling', async () => {
      stopClock();
      const { waiting, resolve } = await waitWith();
      resolve({ type: 'data_updated', payload: null });
      await pass(1, 5000);
      expect(await waiting).toMatchObject({ result: 'a haiku' });
    });
  });

  test('resume() rejects anything without a requestId', async () => {
    const { client } = clientOf(service);
    const handles = [undefined, null, 7, '', '..', {}];
    for (const handle of [...handles, ...handles.map((requestId) => ({ requestId }))]) {
      expect(() => client.content.resume(handle as never)).toThrow(TypeError);
    }
  });
});

describe('generate', () => {
  test('rejects a stream field and anything that is not an object', async () => {
    const { client } = clientOf(scriptedService());
    await expect(client.content.generate({ prompt: 'p', stream: true } as never)).rejects.toThrow(
      'content.stream()',
    );
    await expect(client.content.generate('p' as never)).rejects.toThrow(TypeError);
    await expect(client.content.generate([] as never)).rejects.toThrow(TypeError);
    await expect(client.content.generate(null as never)).rejects.toThrow(TypeError);
  });

  test.each(['callbackUrl', 'callback_url', 'webhook_url', 'webhookURI', 'webhook'])(
    'rejects %s, and so does start(): the result would go nowhere',
    async (name) => {
      const { content } = clientOf(scriptedService()).client;
      const request = { prompt: 'p', [name]: 'https://app.example/callbacks' };
      const advice = `Unknown field ${name}. Did you mean webhookUrl?`;
      await expect(content.generate(request)).rejects.toThrow(advice);
      await expect(content.start(request as never)).rejects.toThrow(advice);
    },
  );
});

test('start() resolves with its job, and without a webhookUrl sends nothing: it would be a synchronous generation', async () => {
  const service = scriptedService();
  const { client } = clientOf(service);
  for (const request of [{ prompt: 'p' }, { prompt: 'p', webhookUrl: null }, undefined])
    await expect(client.content.start(request as never)).rejects.toThrow(TypeError);
  const webhookUrl = 'https://app.example/cb';
  service.script({ status: 202, json: { status: 'processing', requestId: 'gen_1' } });
  const job = await client.content.start({ prompt: 'p', webhookUrl });
  expect(job).toMatchObject({ requestId: 'gen_1', status: 'processing' });
  expect(service.seen.map(({ body }) => body)).toEqual([
    `{"prompt":"p","webhookUrl":"${webhookUrl}"}`,
  ]);
});
