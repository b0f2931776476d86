import { describe, expect, test } from 'vitest';
import { ended, pieces, read, setUp, whole } from './support/streaming.ts';

/** Reads more than ten characters of a stream, then leaves it. */
async function readSome(stream: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of stream) {
    text += piece;
    if (text.length > 10) break;
  }
  return text;
}

describe('watch', () => {
  test('does not cancel the generation when it is left', async () => {
    const { mock, client } = setUp();
    const job = await client.content.start({ prompt: 'p', webhookUrl: 'https://app.example/cb' });
    for await (const _ of job.stream()) break;
    await expect.poll(() => ended(mock)).toBe(1);
  });

  test('goes on after a reload from the JSON of a stream', async () => {
    const { client } = setUp();
    const job = await client.content.start({ prompt: 'p', webhookUrl: 'https://app.example/cb' });
    const before = job.stream();
    const text = await readSome(before);
    const saved = JSON.stringify(before);
    expect(JSON.parse(saved)).toEqual({ requestId: job.requestId, lastEventId: '3' });
    expect(text + (await read(client.content.watch(JSON.parse(saved))))).toBe(whole);
  });

  test('goes on after the piece in hand, also if all events arrived at once', async () => {
    const { mock, client } = setUp({
      async fetch(input, init) {
        const response = await mock.fetch(input, init);
        return new Response(await response.arrayBuffer(), response);
      },
    });
    const before = client.content.stream({ prompt: 'p' });
    const text = await readSome(before);
    const position = before.toJSON();
    if (!position) throw new Error('The stream has no position.');
    expect(position).toMatchObject({ lastEventId: '3' });
    expect(text + (await read(client.content.watch(position)))).toBe(whole);
  });

  test('after the end event has no more text, and knows how the generation ended', async () => {
    const { client } = setUp();
    const { requestId } = await client.content.stream({ prompt: 'p' }).final();
    const watched = client.content.watch({ requestId, lastEventId: `${pieces.length + 2}` });
    expect(await read(watched)).toBe('');
    expect(await watched.final()).toMatchObject({ requestId, result: whole });
    const canceled = client.content.stream({ prompt: 'p' });
    for await (const _ of canceled) break;
    const { requestId: id = '' } = canceled.toJSON() ?? {};
    const ended = client.content.watch(id, { lastEventId: '99' });
    await expect(ended.final()).rejects.toMatchObject({ code: 'generation_canceled' });
  });

  test('of an unknown generation is a NotFoundError', async () => {
    const { client } = setUp();
    await expect(read(client.content.watch('gen_nope'))).rejects.toMatchObject({ status: 404 });
  });
});
