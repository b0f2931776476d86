import {
  createWebhookProcessor,
  type Dedupe,
  memoryDedupe,
  PermanentError,
  type SqlQuery,
  type WebhookContext,
  type WebhookMessage,
  WebhookMessageError,
  type WebhookProcessorOptions,
  WebhookRetryError,
} from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { at, completed, gate, makeHandler, now, recorder, request, usage } from './support.ts';

/** The message that a handler puts on its queue. */
async function enqueued(payload: unknown, id = 'msg_1'): Promise<WebhookMessage> {
  const messages: WebhookMessage[] = [];
  const handler = makeHandler({ enqueue: async (_event, raw) => messages.push(raw) });
  await handler(await request(payload, { id }));
  return messages[0] as WebhookMessage;
}

const makeProcessor = (options: Partial<WebhookProcessorOptions> = {}) =>
  createWebhookProcessor({ now, logger: recorder(), dedupe: memoryDedupe({ now }), ...options });

const query: SqlQuery = async () => ({ rows: [] });

/** A store that records its calls and can commit with a transaction. */
function committingDedupe(calls: string[]): Dedupe {
  const inner = memoryDedupe({ now });
  return {
    ...inner,
    commitWith: async (_query, key, attemptId) => {
      calls.push(`mark ${key} in the transaction`);
      await inner.complete(key, attemptId);
    },
    complete: async (key, attemptId) => {
      calls.push(`mark ${key}`);
      await inner.complete(key, attemptId);
    },
    release: async (key, attemptId) => {
      calls.push(`release ${key}`);
      await inner.release(key, attemptId);
    },
  };
}

describe('A processor', () => {
  test('runs the typed callback of the event that the handler verified', async () => {
    const callback = vi.fn();
    const processor = makeProcessor({ on: { generation_completed: callback } });
    expect(await processor.process(await enqueued(completed))).toEqual({ outcome: 'processed' });
    expect(callback.mock.calls[0]?.[0]).toEqual({
      id: 'msg_1',
      type: 'generation_completed',
      timestamp: at,
      payload: completed,
    });
  });

  test('accepts the message as JSON too, and keeps every character of the body', async () => {
    const callback = vi.fn();
    const payload = { ...completed, result: 'a\u0000b \ud800 ä 🙂 "\\' };
    const processor = makeProcessor({ on: { generation_completed: callback } });
    await processor.process(JSON.stringify(await enqueued(payload)));
    expect(callback.mock.calls[0]?.[0].payload).toEqual(payload);
  });

  test('runs a callback once, however often its message is redelivered', async () => {
    const callback = vi.fn();
    const processor = makeProcessor({ on: { usage_threshold: callback } });
    const message = await enqueued(usage);
    expect(await processor.process(message)).toEqual({ outcome: 'processed' });
    expect(await processor.process(message)).toEqual({ outcome: 'duplicate' });
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('shares its done marks with a handler that has the same store', async () => {
    const dedupe = memoryDedupe({ now });
    const callback = vi.fn();
    const on = { usage_threshold: callback };
    await makeHandler({ dedupe, on })(await request(usage));
    const again = await makeProcessor({ dedupe, on }).process(await enqueued(usage));
    expect(again).toEqual({ outcome: 'duplicate' });
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('needs a dedupe store: a default one would be a different one in each worker', () => {
    expect(() => createWebhookProcessor({ on: {} } as never)).toThrow(
      'dedupe is not given. Pass redisDedupe or postgresDedupe',
    );
  });

  test('acknowledges events without a callback', async () => {
    const processor = makeProcessor({});
    expect(await processor.process(await enqueued(usage))).toEqual({ outcome: 'ignored' });
  });

  test('rejects with the error of the callback, and runs it again the next time', async () => {
    const error = new Error('The database is gone.');
    const callback = vi.fn().mockRejectedValueOnce(error);
    const processor = makeProcessor({ on: { usage_threshold: callback } });
    const message = await enqueued(usage);
    await expect(processor.process(message)).rejects.toBe(error);
    expect(await processor.process(message)).toEqual({ outcome: 'processed' });
  });

  test('resolves after a PermanentError and never runs the callback again', async () => {
    const callback = vi.fn(() => {
      throw new PermanentError('no such customer');
    });
    const processor = makeProcessor({ on: { usage_threshold: callback } });
    const message = await enqueued(usage);
    expect(await processor.process(message)).toEqual({ outcome: 'permanent_error' });
    expect(await processor.process(message)).toEqual({ outcome: 'duplicate' });
  });

  test('rejects while another attempt is running, and says when to try again', async () => {
    const { callback, entered, open } = gate();
    const processor = makeProcessor({ on: { usage_threshold: callback } });
    const message = await enqueued(usage);
    const first = processor.process(message);
    await entered;
    const second = await processor.process(message).catch((error) => error);
    expect(second).toBeInstanceOf(WebhookRetryError);
    expect(second).toMatchObject({ code: 'in_flight', retryAfterMs: 10_000 });
    open();
    await first;
  });

  test('rejects when the dedupe store fails', async () => {
    const claim = () => Promise.reject(new Error('gone'));
    const processor = makeProcessor({
      on: { usage_threshold: vi.fn() },
      dedupe: { ...memoryDedupe(), claim },
    });
    await expect(processor.process(await enqueued(usage))).rejects.toMatchObject({
      name: 'WebhookRetryError',
      code: 'store_failed',
    });
  });

  test('aborts the callback’s signal with the caller’s, and starts nothing afterwards', async () => {
    const ending = new AbortController();
    const seen: unknown[] = [];
    const callback = vi.fn(async (_event: unknown, { signal }: WebhookContext) => {
      ending.abort(new Error('The worker ends.'));
      seen.push(signal.reason);
    });
    const processor = makeProcessor({ on: { usage_threshold: callback } });
    await processor.process(await enqueued(usage), { signal: ending.signal });
    expect(seen).toEqual([new Error('The worker ends.')]);
    const late = processor.process(await enqueued(usage, 'msg_2'), { signal: ending.signal });
    await expect(late).rejects.toThrow('The worker ends.');
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('rejects anything but a message, and messages of a later version', async () => {
    const processor = makeProcessor();
    const message = await enqueued(usage);
    for (const wrong of [undefined, null, 1, '', 'not JSON', {}, [], { ...message, key: '' }])
      await expect(processor.process(wrong as never)).rejects.toMatchObject({
        name: 'WebhookMessageError',
        code: 'message_invalid',
      });
    const later = processor.process({ ...message, version: 2 } as never);
    await expect(later).rejects.toThrow(WebhookMessageError);
    await expect(later).rejects.toThrow('deploy processors before receivers');
    for (const body of ['', 'text', '[]', '1'])
      await expect(processor.process({ ...message, body })).rejects.toMatchObject({
        code: 'message_invalid',
      });
  });

  test.each([undefined, null, 'no such table', { code: 7 }])(
    'rejects with an Error when a callback throws %s, because queues read its message',
    async (thrown) => {
      const processor = makeProcessor({ on: { usage_threshold: () => Promise.reject(thrown) } });
      const rejection = processor.process(await enqueued(usage));
      await expect(rejection).rejects.toBeInstanceOf(Error);
      await expect(rejection).rejects.toThrow(
        typeof thrown === 'string' ? thrown : /^The callback threw (undefined|null|an object)\.$/,
      );
      await expect(rejection).rejects.toHaveProperty('cause', thrown);
    },
  );

  test('rejects an unknown option of process', async () => {
    const processing = makeProcessor().process(await enqueued(usage), { signel: 1 } as never);
    await expect(processing).rejects.toThrow("unknown option signel. Did you mean 'signal'?");
  });

  test('rejects unknown options', () => {
    expect(() => makeProcessor({ secret: 'whsec_' } as never)).toThrow(/unknown option secret/);
    expect(() => makeProcessor({ on: { usage_treshold: () => {} } as never })).toThrow(
      /on.usage_treshold is not an event type. Did you mean 'usage_threshold'\? All other/,
    );
  });
});

describe('A callback that writes its mark with commitWith', () => {
  test('is marked in its transaction only, and freed if it throws before that', async () => {
    const calls: string[] = [];
    const dedupe = committingDedupe(calls);
    let fails = true;
    const processor = makeProcessor({
      dedupe,
      on: {
        usage_threshold: async (_event, { commitWith }) => {
          if (fails) throw new Error('no');
          await commitWith(query);
        },
      },
    });
    await expect(processor.process(await enqueued(usage))).rejects.toThrow('no');
    fails = false;
    await processor.process(await enqueued(usage));
    expect(calls).toEqual(['release msg_1', 'mark msg_1 in the transaction']);
  });
});
