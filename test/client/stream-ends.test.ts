import type { CallEnd, CallStart, GenerationStream, Middleware } from 'contentgen';
import { describe, expect, test, vi } from 'vitest';
import { clientOf, type Reaction, stopClock, turns, until, useService } from './support/service.ts';
import { delta, sse } from './support/sse.ts';

describe('a stream that is left', () => {
  const service = useService();
  const open = (options: object = {}, reaction: Reaction = sse([delta('a')], 'stall')) => {
    service.script(reaction, { json: {} });
    const ends: CallEnd[] = [];
    const middleware: Middleware = Object.assign(
      (request: Request, next: (request: Request) => Promise<Response>) => next(request),
      {
        // Without the call that then cancels the generation.
        onCall: ({ operation }: CallStart) =>
          operation === 'generateContent' ? (end: CallEnd) => void ends.push(end) : undefined,
      },
    );
    const { client } = clientOf(service, { middleware: [middleware], ...options });
    return { client, stream: client.content.stream({ prompt: 'p' }), ends };
  };
  const streams = ['toReadableStream', 'toTextStream'] as const;

  test.each(streams)('%s(), canceled before its first read, sends nothing', async (method) => {
    const { stream } = open();
    const body = stream[method]();
    await body.cancel();
    await expect(stream.final()).rejects.toMatchObject({ name: 'AbortedError' });
    await turns(3);
    expect(service.seen).toHaveLength(0);
  });

  test.each([
    ['after withResponse()', 'toReadableStream', true],
    ['after withResponse()', 'toTextStream', true],
    ['while its headers are on the way', 'toReadableStream', false],
  ] as const)('one that is canceled %s as %s() is closed', async (_, method, isOpen) => {
    const { stream, ends } = open();
    const response = stream.withResponse();
    if (isOpen) await response;
    await stream[method]().cancel();
    await expect(stream.final()).rejects.toMatchObject({ name: 'AbortedError' });
    await response;
    await until(() => service.ended === 1);
    expect(ends).toMatchObject([{ error: { code: 'aborted' } }]);
  });

  const cancelBody = (method: (typeof streams)[number]) => async (stream: GenerationStream) => {
    const reader = stream[method]().getReader();
    await reader.read();
    const pending = reader.read();
    await turns(3);
    await reader.cancel();
    expect((await pending).done).toBe(true);
  };
  test.each<[string, (stream: GenerationStream) => Promise<void>]>([
    [
      'break',
      async (stream) => {
        for await (const _ of stream) break;
      },
    ],
    [
      'return(), although next() is pending,',
      async (stream) => {
        const iterator = stream[Symbol.asyncIterator]();
        await iterator.next();
        const pending = iterator.next();
        await turns(3);
        expect(await iterator.return()).toEqual({ done: true, value: undefined });
        expect(await pending).toEqual({ done: true, value: undefined });
      },
    ],
    ['canceling toReadableStream()', cancelBody('toReadableStream')],
    ['canceling toTextStream()', cancelBody('toTextStream')],
  ])('%s cancels the generation before it returns and closes the connection', async (_, leave) => {
    const { stream, ends } = open();
    await leave(stream);
    expect(service.seen.at(-1)?.path).toBe('/api/ai/content/generate/gen_1/cancel');
    await until(() => service.ended === 1);
    await expect(stream.final()).rejects.toMatchObject({ name: 'AbortedError' });
    expect(ends).toMatchObject([{ error: { code: 'aborted' } }]);
  });

  test('return() waits at most a second for a service that does not cancel', async () => {
    stopClock();
    service.script(sse([delta('a')], 'stall'), { fault: 'hang' });
    const stream = clientOf(service).client.content.stream({ prompt: 'p' });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    let isLeft = false;
    const left = iterator.return().then(() => {
      isLeft = true;
    });
    await until(() => service.seen.length === 2);
    vi.advanceTimersByTime(999);
    await turns();
    expect(isLeft).toBe(false);
    vi.advanceTimersByTime(1);
    await left;
  });

  test.each<[string, (stream: GenerationStream) => Promise<unknown>]>([
    ['after its first piece', (stream) => stream[Symbol.asyncIterator]().next()],
    ['before its first read', (stream) => stream.withResponse()],
  ])('one that nobody reads %s is closed after idleTimeout', async (_, begin) => {
    stopClock();
    const { stream, ends } = open({ idleTimeout: 1000 });
    await begin(stream);
    vi.advanceTimersByTime(999);
    await turns();
    expect(service.ended).toBe(0);
    vi.advanceTimersByTime(1);
    await until(() => service.ended === 1);
    expect(vi.getTimerCount()).toBe(0);
    const error = {
      code: 'idle_timeout',
      message: expect.stringContaining('Nobody read the stream'),
    };
    await expect(stream.final()).rejects.toMatchObject(error);
    await expect(stream.final()).rejects.toMatchObject(error);
    expect(ends).toMatchObject([{ error }]);
  });
});
