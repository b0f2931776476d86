import { describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  completed,
  problem,
  type Reaction,
  scriptedService,
  stopClock,
  turns,
  until,
  useService,
} from './support/service.ts';
import { delta, done, event, sse } from './support/sse.ts';

describe('a stream', () => {
  const service = useService();

  const open = (reaction: Reaction | Reaction[], options = {}, callOptions = {}) => {
    service.script(...[reaction].flat());
    return clientOf(service, options).client.content.stream({ prompt: 'p' }, callOptions);
  };
  /** The response to the call that cancels the generation of a stream that is left. */
  const canceled = { json: {} };
  const collect = async (stream: AsyncIterable<string>) => {
    const deltas: string[] = [];
    const error = await (async () => {
      for await (const text of stream) deltas.push(text);
    })().catch((thrown: unknown) => thrown);
    return { deltas, error };
  };

  test('yields the deltas and then has the completed generation', async () => {
    const stream = open(
      sse([delta('he'), ': ping\n\n', delta('llo'), event('generation.new', {}), done]),
    );
    expect(await collect(stream)).toEqual({ deltas: ['he', 'llo'], error: undefined });
    expect(await stream.final()).toEqual(completed);
    expect(() => stream[Symbol.asyncIterator]()).toThrow(TypeError);
    expect(service.seen).toHaveLength(1);
    expect(JSON.parse(service.seen[0]?.body ?? '')).toEqual({ prompt: 'p', stream: true });
    expect(service.seen[0]?.headers['idempotency-key']).toBeDefined();
    expect(service.seen[0]?.headers['accept']).toMatch(/^text\/event-stream/);
  });

  test('sends nothing until it is read', async () => {
    open(sse([done]));
    await turns(1);
    expect(service.seen).toHaveLength(0);
  });

  test('withResponse() resolves once the headers have arrived', async () => {
    const stream = open(sse([done]), {}, { idempotencyKey: 'mine' });
    const { data, requestId, idempotencyKey } = await stream.withResponse();
    expect([requestId, idempotencyKey]).toEqual(['req_s', 'mine']);
    expect(await data.final()).toEqual(completed);
    expect(service.seen).toHaveLength(1);
  });

  test('a failure before the first byte is retried with the same key', async () => {
    const options = { backoff: { initial: 0 } };
    const stream = open([problem(503, 'unavailable'), sse([delta('a'), done])], options);
    expect((await collect(stream)).deltas).toEqual(['a']);
    expect(new Set(service.seen.map((request) => request.headers['idempotency-key'])).size).toBe(1);
  });

  test.each([
    ['failed', 'generation_failed'],
    ['canceled', 'generation_canceled'],
  ])('generation.%s midway is a typed error, in the loop and from final()', async (kind, code) => {
    const error = { code: 'c', message: 'm' };
    const stream = open(
      sse([delta('a'), event(`generation.${kind}`, { ...completed, status: kind, error })]),
    );
    const { deltas, error: thrown } = await collect(stream);
    expect(deltas).toEqual(['a']);
    expect(thrown).toMatchObject({
      ...{ name: 'GenerationFailedError', code, generationId: 'gen_1' },
      generation: { requestId: 'gen_1', error },
    });
    await expect(stream.final()).rejects.toBe(thrown);
  });

  test.each([
    ['breaks off', sse([delta('a')], 'drop'), 'ConnectionError', 'stream_interrupted'],
    ['ends before its generation does', sse([delta('a')]), 'ConnectionError', 'stream_interrupted'],
    [
      'has a delta that is not text',
      sse([delta('a'), event('generation.delta', { delta: 7 })]),
      'ParseError',
      'invalid_response',
    ],
    [
      'has data that is not JSON',
      sse([delta('a'), 'event: generation.completed\ndata: {"a\n\n']),
      'ParseError',
      'invalid_response',
    ],
  ])('one that %s causes a typed error', async (_, reaction, name, code) => {
    const stream = open(reaction, { maxRetries: 0 });
    const { deltas, error } = await collect(stream);
    expect(deltas).toEqual(['a']);
    expect(error).toMatchObject({
      ...{ name, code, requestId: 'req_s', operation: 'generateContent' },
      generationId: 'gen_1',
    });
    expect((error as { idempotencyKey?: string }).idempotencyKey).toBe(
      service.seen[0]?.headers['idempotency-key'],
    );
    expect(service.seen).toHaveLength(1);
    await expect(stream.final()).rejects.toBe(error);
  });

  test.each([undefined, null, 'a prompt'])('a request of %j is a TypeError', async (request) => {
    const { client } = clientOf(service);
    await expect(client.content.stream(request as never).final()).rejects.toThrow(TypeError);
    expect(service.seen).toHaveLength(0);
  });

  test('an iterator that was never read leaves the stream to final()', async () => {
    const stream = open(sse([delta('he'), done]));
    await stream[Symbol.asyncIterator]().return(undefined);
    expect(await stream.final()).toEqual(completed);
  });

  test('a failure whose code cannot be converted to a string is a typed error', async () => {
    const hostile = { requestId: { toString: 1 }, error: { code: { toString: 1 } } };
    const { error } = await collect(open(sse([event('generation.failed', hostile)])));
    expect(error).toMatchObject({ name: 'GenerationFailedError', code: 'generation_failed' });
  });

  test('of a service that responds with the whole generation yields its text at once', async () => {
    const { status: _, ...unnamed } = completed;
    for (const json of [completed, unnamed]) {
      expect(await collect(open({ json }))).toEqual({
        ...{ deltas: [completed.result], error: undefined },
      });
    }
  });

  test('a response that is neither a stream nor a generation is a ParseError', async () => {
    const { error } = await collect(open({ json: [] }));
    expect((await collect(open({ json: { req_id: 'x' } }))).error).toMatchObject({
      message: expect.stringContaining('has no result (its fields: req_id)'),
    });
    expect(error).toMatchObject({
      name: 'ParseError',
      code: 'invalid_response',
      message: expect.stringContaining('The response is not an event stream.'),
    });
  });

  test('a reader that pauses for less than idleTimeout is waited for, and the timeout ends with the headers', async () => {
    stopClock();
    const stream = open(sse([delta('a') + delta('b'), delta('c'), done]), {
      idleTimeout: 1000,
      timeout: 1500,
    });
    const deltas: string[] = [];
    for await (const text of stream) {
      deltas.push(text);
      vi.advanceTimersByTime(900);
    }
    expect(deltas).toEqual(['a', 'b', 'c']);
  });

  test.each<[string, object, (controller: AbortController) => void, object]>([
    [
      'the deadline',
      { deadline: 5000 },
      () => vi.advanceTimersByTime(5000),
      { name: 'TimeoutError', code: 'deadline_exceeded' },
    ],
    ["the caller's signal", {}, (controller) => controller.abort(), { name: 'AbortedError' }],
  ])(
    '%s ends it at once, closes the connection and cancels the generation',
    async (_, limits, end, error) => {
      stopClock();
      const controller = new AbortController();
      const options = { idleTimeout: Infinity, ...limits };
      const call = { signal: controller.signal };
      const stream = open([sse([delta('a')], 'stall'), canceled], options, call);
      const iterator = stream[Symbol.asyncIterator]();
      await iterator.next();
      const next = iterator.next().catch((thrown: unknown) => thrown);
      await turns();
      end(controller);
      const thrown = await next;
      expect(thrown).toMatchObject({ ...error, generationId: 'gen_1' });
      expect(JSON.parse(JSON.stringify(thrown))).toMatchObject({ generationId: 'gen_1' });
      await until(() => service.ended === 1 && service.seen.length === 2);
      await expect(stream.final()).rejects.toMatchObject(error);
    },
  );

  test('an error without a final() call is never an unhandled rejection', async () => {
    const heard = vi.fn();
    process.on('unhandledRejection', heard);
    await collect(open(sse([delta('a')], 'drop')));
    await turns();
    process.off('unhandledRejection', heard);
    expect(heard).not.toHaveBeenCalled();
  });
});

test('a stream is read no faster than it is consumed', async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(Buffer.from(delta(String(pulled))));
      },
    },
    { highWaterMark: 0 },
  );
  const { client } = clientOf(scriptedService(), {
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  });
  const iterator = client.content.stream({ prompt: 'p' })[Symbol.asyncIterator]();
  for (let chunk = 1; chunk <= 5; chunk += 1) {
    expect((await iterator.next()).value).toBe(String(chunk));
    await turns();
    expect(pulled).toBe(chunk);
  }
  await iterator.return();
});
