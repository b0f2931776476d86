import * as contentgen from 'contentgen';
import { describe, expect, test, vi } from 'vitest';
import { clientOf, problem, type Reaction, useService } from './support/service.ts';
import { delta, done, event, sse } from './support/sse.ts';

const failed = event('generation.failed', {
  requestId: 'gen_1',
  status: 'failed',
  error: { code: 'model_overloaded', message: 'm' },
});
const { GenerationStream } = contentgen;

describe('the streams for web handlers', () => {
  const service = useService();
  const open = (reaction: Reaction) => {
    service.script(reaction);
    return clientOf(service, { maxRetries: 0 }).client.content.stream({ prompt: 'p' });
  };
  const read = async (stream: AsyncIterable<string>) => {
    let text = '';
    for await (const chunk of stream) text += chunk;
    return text;
  };

  test('toReadableStream() passes the bytes on, each event once and comments too, however they are cut', async () => {
    const text = [delta('a'), delta('héllo'), done].join('');
    for (const length of [1, 2, 13, 55, 1000]) {
      const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'g')) as string[];
      const stream = open(sse([': ping\n\n', ...pieces]));
      expect(await new Response(stream.toReadableStream()).text()).toBe(`: ping\n\n${text}`);
      expect((await stream.final()).result).toBe('a haiku');
    }
  });

  test('toTextStream() yields only the text, and characters whole whose halves come in two events', async () => {
    const halves = ['"x\\ud83d"', '"\\ude00y"'].map((text) => delta('?').replace('"?"', text));
    const stream = open(sse([': ping\n\n', delta('a '), ...halves, done]));
    expect(await new Response(stream.toTextStream()).text()).toBe('a x😀y');
    expect((await stream.final()).usage.totalTokens).toBe(3);
  });

  const ends = [
    ['that breaks off', sse([delta('a')], 'drop'), { code: 'stream_interrupted' }],
    ['with an error status', problem(401, 'invalid_api_key'), { status: 401 }],
    ['whose generation failed', sse([delta('a'), failed]), { code: 'generation_failed' }],
  ] as const;
  test.each([
    ...ends.map((end) => ['toTextStream', ...end] as const),
    ...ends.slice(0, 2).map((end) => ['toReadableStream', ...end] as const),
  ])('%s() of a stream %s ends with its error', async (method, _, reaction, error) => {
    const stream = open(reaction);
    await expect(new Response(stream[method]()).text()).rejects.toMatchObject(error);
    await expect(stream.final()).rejects.toMatchObject(error);
  });

  test('toReadableStream() passes a failed generation on to the other end', async () => {
    const near = open(sse([delta('a'), failed]));
    const far = GenerationStream.fromReadableStream(near.toReadableStream());
    const generation = { error: { code: 'model_overloaded' } };
    await expect(read(far)).rejects.toMatchObject({ name: 'GenerationFailedError', generation });
    await expect(near.final()).rejects.toMatchObject({ code: 'generation_failed' });
  });

  test('can have only one reader', async () => {
    const stream = open(sse([delta('a'), done]));
    const body = stream.toReadableStream();
    expect(() => stream.toTextStream()).toThrow(TypeError);
    expect(() => stream[Symbol.asyncIterator]()).toThrow(TypeError);
    const final = stream.final();
    await new Response(body).text();
    expect((await final).result).toBe('a haiku');
  });
});

describe('fromReadableStream()', () => {
  const bodyOf = (...list: string[]) => new Response(list.join('')).body;

  test('final() reads it, and it has no response', async () => {
    const stream = GenerationStream.fromReadableStream(bodyOf(delta('a'), done));
    await expect(stream.withResponse()).rejects.toThrow(TypeError);
    expect((await stream.final()).result).toBe('a haiku');
  });

  const broken = (reason: unknown) =>
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(reason) });
  const terminated = new TypeError('terminated');
  test.each([
    ['ends early', bodyOf(delta('a')), { code: 'stream_interrupted' }],
    ['is malformed', bodyOf(event('generation.delta', 1)), { code: 'invalid_response' }],
    [
      'breaks',
      broken(terminated),
      { name: 'ConnectionError', code: 'stream_interrupted', cause: terminated },
    ],
    ['is aborted', broken(new DOMException('gone', 'AbortError')), { name: 'AbortedError' }],
  ])('a body that %s is a typed error', async (_, body, error) => {
    await expect(GenerationStream.fromReadableStream(body).final()).rejects.toMatchObject(error);
  });

  test('a byte order mark is skipped, but only the first', async () => {
    const marked = bodyOf('\uFEFF', delta('a '), '\uFEFF', delta('red '), delta('haiku'), done);
    const deltas = await Array.fromAsync(GenerationStream.fromReadableStream(marked));
    expect(deltas).toEqual(['a ', 'haiku']);
  });

  test('leaving the loop cancels the body', async () => {
    const cancel = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(delta('a'))),
      cancel,
    });
    for await (const _ of GenerationStream.fromReadableStream(body)) break;
    expect(cancel).toHaveBeenCalledOnce();
  });

  test.each([null, undefined, 'text', {}])('%j is not a body', (body) => {
    expect(() => GenerationStream.fromReadableStream(body as never)).toThrow(TypeError);
  });
});
