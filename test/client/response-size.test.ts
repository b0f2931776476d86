import { describe, expect, test } from 'vitest';
import { clientOf, type Reaction, useService } from './support/service.ts';
import { delta, done, sse } from './support/sse.ts';

const usage = { used: 1, quota: 2, padding: 'x'.repeat(2000) };
const chunks = (...list: string[]): Reaction => ({ chunks: list, ending: 'stall' });

describe('maxResponseBytes', () => {
  const service = useService();

  test.each([
    ['a body in one chunk', { json: usage }],
    ['a body that never ends', chunks(...Array.from({ length: 100 }, () => 'x'.repeat(100)))],
    ['the body of an error', { status: 500, text: 'x'.repeat(2000) }],
  ] as [string, Reaction][])(
    '%s fails without a retry and closes the connection',
    async (_, reaction) => {
      service.script(reaction);
      const { client } = clientOf(service, { maxResponseBytes: 1000 });
      const { error } = await client.usage.get().safe();
      expect(error).toMatchObject({
        name: 'ParseError',
        code: 'response_too_large',
        status: reaction.status ?? 200,
        attempts: [{ code: 'response_too_large' }],
      });
      expect(error?.message).toContain('`maxResponseBytes` (1000)');
      expect(service.seen).toHaveLength(1);
    },
  );

  test('counts bytes, not characters', async () => {
    const text = JSON.stringify({ used: 0, text: 'é'.repeat(500) });
    service.script({ chunks: [text], headers: { 'content-type': 'application/json' } });
    const size = new TextEncoder().encode(text).byteLength;
    const enough = clientOf(service, { maxResponseBytes: size }).client;
    expect(await enough.usage.get()).toMatchObject({ text: 'é'.repeat(500) });
  });

  test('limits one event of a stream, not the stream', async () => {
    const { client } = clientOf(service, { maxResponseBytes: 500 });
    service.script(sse([...Array.from({ length: 50 }, () => delta('y'.repeat(100))), done]));
    expect((await client.content.stream({ prompt: 'p' }).final()).result).toBe('a haiku');
    service.script(sse([delta('y'.repeat(1000)), done]));
    await expect(client.content.stream({ prompt: 'p' }).final()).rejects.toMatchObject({
      name: 'ParseError',
      code: 'response_too_large',
    });
  });
});
