import { describe, expect, test } from 'vitest';
import { type ContentGen, contentgen } from './support/entry.ts';
import { clientOf, completed, scriptedService } from './support/service.ts';
import { delta, done, sse } from './support/sse.ts';

/** A deep proxy as Vue's `reactive` makes one: of objects, arrays and collections, and of what is read from them. */
function reactive<T extends object>(target: T): T {
  return new Proxy(target, {
    get(inner, key, receiver) {
      const value: unknown = Reflect.get(inner, key, receiver);
      const kind = Object.prototype.toString.call(value).slice(8, -1);
      const isWrapped = /^(Object|Array|Map|Set|WeakMap)$/.test(kind) && Object.isExtensible(value);
      return isWrapped ? reactive(value as object) : value;
    },
  });
}

const accepted = { requestId: 'gen_1', status: 'processing', createdAt: '2026-01-01T00:00:00Z' };
const webhookUrl = 'https://app.example/callbacks';

describe('in reactive state', () => {
  const setUp = () => {
    const service = scriptedService();
    return { service, client: clientOf(service).client };
  };

  test('a job waits, streams and cancels', async () => {
    const { service, client } = setUp();
    service.script({ json: accepted }, { json: completed });
    const job = reactive(await client.content.start({ prompt: 'p', webhookUrl }));
    expect((await job.wait()).result).toBe('a haiku');
    expect((await job.stream().final()).result).toBe('a haiku');
    expect((await job.cancel()).requestId).toBe('gen_1');
  });

  test('a job is JSON: it survives a copy, and a copy can be resumed', async () => {
    const { service, client } = setUp();
    service.script({ json: completed });
    const job = client.content.resume('gen_1');
    const json = { status: 'processing', requestId: 'gen_1' };
    expect(JSON.parse(JSON.stringify(reactive(job)))).toEqual(json);
    expect(structuredClone(job)).toEqual(json);
    expect({ ...job }).toEqual(json);
    expect((await client.content.resume(structuredClone(job)).wait()).status).toBe('completed');
  });

  test.each(['loop', 'final', 'text', 'JSON', 'response'])('a stream is read: %s', async (form) => {
    const { service, client } = setUp();
    service.script(sse([delta('a haiku'), done]));
    const stream = reactive(client.content.stream({ prompt: 'p' }));
    if (form === 'loop') for await (const text of stream) expect(text).toBe('a haiku');
    if (form === 'final') expect((await stream.final()).result).toBe('a haiku');
    if (form === 'text') expect(await new Response(stream.toTextStream()).text()).toBe('a haiku');
    if (form === 'JSON') expect(JSON.stringify(stream)).toBeUndefined();
    if (form === 'response') expect((await stream.withResponse()).response.status).toBe(200);
  });

  test('a client calls, lists and is copied, and its http client works', async () => {
    const { service, client: raw } = setUp();
    service.script({ json: { data: [], nextCursor: null, used: 0 } });
    const client: ContentGen = reactive(raw);
    expect(await client.content.list().toArray()).toEqual([]);
    expect((await client.http.GET('/api/usage')).response.status).toBe(200);
    const copy = client.withOptions({ apiKey: 'cg_test_copy' });
    expect(copy).toBeInstanceOf(contentgen.ContentGen);
    await reactive(copy).usage.get();
    expect(service.seen.map(({ headers }) => headers['x-api-key'])).toEqual([
      'cg_test_key',
      'cg_test_key',
      'cg_test_copy',
    ]);
  });
});
