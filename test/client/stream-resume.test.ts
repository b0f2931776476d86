import * as contentgen from 'contentgen';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { cutBody } from './support/cut-body.ts';
import { begun, ended, type Fetch, pieces, read, setUp, whole } from './support/streaming.ts';

const { GenerationStream } = contentgen;

// Retries then wait no time.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

test('a stream that is cut anywhere is read whole, here or after it was passed on, and billed once', async () => {
  const { mock, client } = setUp();
  const uncut = client.content.stream({ prompt: 'p' }).toReadableStream();
  const { byteLength } = await new Response(uncut).arrayBuffer();
  expect(byteLength).toBeGreaterThan(600);
  const readCut = async (limit: number) => {
    let isCut = false;
    const fetch: Fetch = async (input, init) => {
      const response = await mock.fetch(input, init);
      if (isCut || !response.body) return response;
      isCut = true;
      return new Response(cutBody(response.body, limit), response);
    };
    const { client } = setUp({ fetch, baseUrl: mock.baseUrl, apiKey: mock.adminKey });
    const stream = client.content.stream({ prompt: 'p' });
    const isPassedOn = limit % 2 === 1;
    const reader = isPassedOn
      ? GenerationStream.fromReadableStream(stream.toReadableStream())
      : stream;
    expect(await read(reader), `cut after ${limit} bytes`).toBe(whole);
    expect((await stream.final()).result).toBe(whole);
    expect(isCut).toBe(true);
  };
  const limits = Array.from({ length: Math.floor(byteLength / 7) }, (_, n) => n * 7);
  await Promise.all(limits.map(readCut));
  expect([begun(mock), ended(mock)]).toEqual([1 + limits.length, 1 + limits.length]);
});

describe('cutStream', () => {
  test('is only a pause for the reader; onRetry and the requests show it', async () => {
    const { mock, client, retries } = setUp();
    mock.faults.add({
      operation: 'generateContent',
      times: 1,
      effect: { cutStream: { after: 3 } },
    });
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
    mock.faults.add({
      operation: 'generateContent',
      times: 1,
      effect: { cutStream: { after: 3 } },
    });
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
    mock.faults.add({
      operation: 'generateContent',
      times: 1,
      effect: { cutStream: { after: 2 } },
    });
    mock.faults.add({
      operation: 'getGeneration',
      times: 1,
      effect: { status: 503, retryAfter: 0 },
    });
    mock.faults.add({
      operation: 'getGeneration',
      times: 1,
      effect: { status: 429, retryAfter: 0 },
    });
    expect(await read(client.content.stream({ prompt: 'p' }))).toBe(whole);
  });
});

test('a connection that dies without a word is replaced after idleTimeout', async () => {
  const { mock, client, retries } = setUp({ idleTimeout: 50 });
  mock.faults.add({ operation: 'generateContent', times: 1, effect: { stall: true } });
  expect(await read(client.content.stream({ prompt: 'p' }))).toBe(whole);
  expect(retries).toEqual(['idle_timeout']);
  expect(ended(mock)).toBe(1);
});

test.each([{ absent: ['getGeneration'] as const }, { idempotency: false as const }])(
  'in a deployment with %j, a break is the error: a repetition could be billed',
  async (differs) => {
    const { mock, client } = setUp({ deployment: defineDeployment(differs) });
    mock.faults.add({
      operation: 'generateContent',
      times: 1,
      effect: { cutStream: { after: 3 } },
    });
    const reading = read(client.content.stream({ prompt: 'p' }));
    await expect(reading).rejects.toMatchObject({ code: 'stream_interrupted' });
    const begun = mock.events().filter(({ type }) => type === 'generation.accepted');
    expect(begun).toHaveLength(1);
  },
);

describe('a service without event ids', () => {
  const service = (answers: readonly (readonly string[])[]): Fetch => {
    let calls = 0;
    return async () => {
      const deltas = answers[calls] ?? [];
      calls += 1;
      const events = deltas.map(
        (delta) =>
          `event: generation.delta\ndata: ${JSON.stringify({ requestId: 'gen_1', delta })}\n\n`,
      );
      const completed = { requestId: 'gen_1', status: 'completed', result: whole };
      if (calls === answers.length)
        events.push(`event: generation.completed\ndata: ${JSON.stringify(completed)}\n\n`);
      return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
    };
  };

  test('repeats the text from its beginning, which the reader does not see twice', async () => {
    const fetch = service([
      ['Packets ', 'cr'],
      ['Packets cross', ' the 🌊 sea\nby night.'],
    ]);
    const { client } = setUp({ fetch });
    expect(await read(client.content.stream({ prompt: 'p' }))).toBe(whole);
  });

  test('and repeats another text: stream_diverged with both lengths', async () => {
    const { client } = setUp({ fetch: service([['Packets ', 'cr'], ['Pack', 'ages'], []]) });
    await expect(read(client.content.stream({ prompt: 'p' }))).rejects.toMatchObject({
      code: 'stream_diverged',
      generationId: 'gen_1',
      message: expect.stringMatching(/10 characters .* first 4/),
    });
  });
});

test('without event ids, an end with less or more than was read is stream_diverged, not a loss', async () => {
  const type = { headers: { 'content-type': 'text/event-stream' } };
  const delta = `event: generation.delta\ndata: {"requestId":"gen_1","delta":"Hello world"}\n\n`;
  for (const result of ['Hello', 'Hello world, again', 'Hello world']) {
    const end = `event: generation.completed\ndata: ${JSON.stringify({ requestId: 'gen_1', status: 'completed', result })}\n\n`;
    const answers = [delta, end];
    const { client } = setUp({ fetch: async () => new Response(answers.shift(), type) });
    const text = read(client.content.stream({ prompt: 'p' }));
    if (result === 'Hello world') expect(await text).toBe(result);
    else await expect(text).rejects.toMatchObject({ code: 'stream_diverged' });
  }
});

test('streams that end too early at the same time all resume', async () => {
  const { mock } = setUp();
  const fetch: Fetch = async (input, init) => {
    const response = await mock.fetch(input, init);
    if (init?.method !== 'POST' || !response.body) return response;
    const [start = ''] = (await response.text()).split('id: 3');
    return new Response(start, response);
  };
  const own = { fetch, baseUrl: mock.baseUrl, apiKey: mock.adminKey };
  const { client } = setUp({ ...own, idleTimeout: 500 });
  const texts = [1, 2].map(() => read(client.content.stream({ prompt: 'p' })));
  expect(await Promise.all(texts)).toEqual([whole, whole]);
});

test('a byte order mark on each connection is not passed on', async () => {
  const { mock } = setUp();
  mock.faults.add({ operation: '*', times: 2, effect: { cutStream: { after: 2 } } });
  const fetch: Fetch = async (input, init) => {
    const response = await mock.fetch(input, init);
    let isFirst = true;
    const marked = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(isFirst ? Uint8Array.of(0xef, 0xbb, 0xbf, ...chunk) : chunk);
        isFirst = false;
      },
    });
    return new Response(response.body?.pipeThrough(marked), response);
  };
  const { client } = setUp({ fetch, baseUrl: mock.baseUrl, apiKey: mock.adminKey });
  const bytes = client.content.stream({ prompt: 'p' }).toReadableStream();
  expect(await new Response(bytes).text()).not.toContain('\uFEFF');
});

test('a deadline that ends a resumption is named as the caller set it', async () => {
  const { mock, client } = setUp({ maxRetries: 100 });
  mock.faults.add({ operation: 'generateContent', times: 1, effect: { cutStream: { after: 2 } } });
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

test('an id of any characters reaches the service when a stream is resumed, in UTF-8', async () => {
  const sent: (string | null)[] = [];
  const { client } = setUp({
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers).get('last-event-id'));
      const end = { requestId: 'gen_1', status: 'completed', result: 'x' };
      return new Response(`event: generation.completed\ndata: ${JSON.stringify(end)}\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      });
    },
  });
  await client.content.watch({ requestId: 'gen_1', lastEventId: '7-é-漢' }).final();
  await client.content.watch({ requestId: 'gen_1', lastEventId: 'a\u007f' }).final();
  expect(sent[1], 'no header can carry it').toBeNull();
  const bytes = Uint8Array.from(sent[0] ?? '', (character) => character.charCodeAt(0));
  expect(new TextDecoder().decode(bytes)).toBe('7-é-漢');
});
