import * as contentgen from 'contentgen';
import type { MockServer } from 'contentgen/mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { ended, pieces, read, setUp, whole } from './support/streaming.ts';

const { GenerationStream } = contentgen;

// Retries then wait no time.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** Cuts the next stream of a new generation after as many events. */
const cutOnce = (mock: MockServer, after: number) =>
  mock.faults.add({ operation: 'generateContent', times: 1, effect: { cutStream: { after } } });

const eventStream = { headers: { 'content-type': 'text/event-stream' } };
const deltaOf = (delta: string) =>
  `event: generation.delta\ndata: ${JSON.stringify({ requestId: 'gen_1', delta })}\n\n`;
const endWith = (result: string) =>
  `event: generation.completed\ndata: ${JSON.stringify({ requestId: 'gen_1', status: 'completed', result })}\n\n`;

describe('cutStream', () => {
  test('is only a pause for the reader; onRetry and the requests show it', async () => {
    const { mock, client, retries } = setUp();
    cutOnce(mock, 3);
    mock.faults.add({ operation: 'getGeneration', times: 1, effect: { cutStream: { after: 0 } } });
    expect(await read(client.content.stream({ prompt: 'p' }))).toBe(whole);
    expect(retries).toEqual(['connection_failed', 'connection_failed']);
    expect(mock.requests().map(({ operation }) => operation)).toEqual([
      'generateContent',
      'getGeneration',
      'getGeneration',
    ]);
    expect(ended(mock)).toBe(1);
  });

  test('is the error of the call after maxRetries without progress', async () => {
    const { mock, client, retries } = setUp({ maxRetries: 2 });
    cutOnce(mock, 3);
    mock.faults.add({ operation: 'getGeneration', effect: { cutStream: { after: 0 } } });
    const stream = client.content.stream({ prompt: 'p' });
    await expect(read(stream)).rejects.toMatchObject({
      code: 'stream_interrupted',
      operation: 'generateContent',
    });
    expect(retries).toHaveLength(2);
  });

  test('counts attempts anew after progress', async () => {
    const { mock, client, retries } = setUp({ maxRetries: 1 });
    mock.faults.add({ operation: '*', effect: { cutStream: { after: 1 } } });
    // Each connection brings one more event; the last one has the end before it is cut.
    const text = await read(client.content.stream({ prompt: 'p' }));
    expect(text).toBe(whole);
    expect(retries.length).toBeGreaterThan(1);
  });

  test('429 and 503 while resuming are waited for', async () => {
    const { mock, client } = setUp({ maxRetries: 4 });
    cutOnce(mock, 2);
    for (const status of [503, 429] as const) {
      mock.faults.add({ operation: 'getGeneration', times: 1, effect: { status } });
    }
    expect(await read(client.content.stream({ prompt: 'p' }))).toBe(whole);
  });
});

test.each([{ absent: ['getGeneration'] as const }, { idempotency: false as const }])(
  'in a deployment with %j, a break is the error: a repetition could be billed',
  async (differs) => {
    const { mock, client } = setUp({ deployment: defineDeployment(differs) });
    cutOnce(mock, 3);
    const reading = read(client.content.stream({ prompt: 'p' }));
    await expect(reading).rejects.toMatchObject({ code: 'stream_interrupted' });
    const begun = mock.events().filter(({ type }) => type === 'generation.accepted');
    expect(begun).toHaveLength(1);
  },
);

describe('a service without event ids', () => {
  /** Reads a stream whose connections bring these bodies. */
  const readFrom = (...bodies: string[]) => {
    const { client } = setUp({ fetch: async () => new Response(bodies.shift(), eventStream) });
    return read(client.content.stream({ prompt: 'p' }));
  };
  const begun = deltaOf('Packets ') + deltaOf('cr');

  test('repeats the text from its beginning, which the reader does not see twice', async () => {
    const rest = deltaOf('Packets cross') + deltaOf(' the 🌊 sea\nby night.');
    expect(await readFrom(begun, rest + endWith(whole))).toBe(whole);
  });

  test('and repeats another text: stream_diverged with both lengths', async () => {
    const diverged = readFrom(begun, deltaOf('Pack') + deltaOf('ages'), endWith(whole));
    await expect(diverged).rejects.toMatchObject({
      code: 'stream_diverged',
      generationId: 'gen_1',
      message: expect.stringMatching(/10 characters .* first 4/),
    });
  });

  test('and an end with less or more than was read is stream_diverged, not a loss', async () => {
    const hello = deltaOf('Hello world');
    expect(await readFrom(hello, endWith('Hello world'))).toBe('Hello world');
    for (const result of ['Hello', 'Hello world, again'])
      await expect(readFrom(hello, endWith(result))).rejects.toMatchObject({
        code: 'stream_diverged',
      });
  });
});

test('a deadline that ends a resumption is named as the caller set it', async () => {
  const { mock, client } = setUp({ maxRetries: 100 });
  cutOnce(mock, 2);
  mock.faults.add({ operation: 'getGeneration', effect: { delay: 1000 } });
  const text = read(client.content.stream({ prompt: 'p' }, { deadline: 300 }));
  await expect(text).rejects.toThrow('(300 ms)');
});

test('toReadableStream passes each event on once, with its id, whatever was cut', async () => {
  const { mock, client } = setUp();
  mock.faults.add({ operation: '*', times: 3, effect: { cutStream: { after: 2 } } });
  const bytes = client.content.stream({ prompt: 'p' }).toReadableStream();
  const received = GenerationStream.fromReadableStream(bytes);
  expect(await read(received)).toBe(whole);
  expect(received.toJSON()).toEqual({
    requestId: expect.stringMatching(/^gen_/),
    lastEventId: `${pieces.length + 2}`,
  });
});

test('an id that no header can carry is not sent: the stream starts over', async () => {
  const sent: (string | null)[] = [];
  const { client } = setUp({
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers).get('last-event-id'));
      return new Response(endWith('x'), eventStream);
    },
  });
  for (const lastEventId of ['7', '漢', 'a\u007f'])
    await client.content.watch({ requestId: 'gen_1', lastEventId }).final();
  expect(sent).toEqual(['7', null, null]);
});
