import { describe, expect, test } from 'vitest';
import { clientOf, completed, scriptedService, useService } from './support/service.ts';

const acknowledged = { status: 202, json: { status: 'processing', requestId: 'gen_1' } };

describe('an asynchronous generation', () => {
  const service = useService();

  const start = async () => {
    service.script(acknowledged);
    const { client } = clientOf(service);
    const job = await client.content.generate({
      prompt: 'p',
      webhookUrl: 'https://app.example/cb',
    });
    service.seen.length = 0;
    return { client, job };
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
