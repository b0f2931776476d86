import {
  createWebhookProcessor,
  type Dedupe,
  memoryDedupe,
  PermanentError,
  type WebhookContext,
  type WebhookMessage,
  WebhookMessageError,
  type WebhookProcessorOptions,
  WebhookRetryError,
} from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { at, completed, gate, makeHandler, now, recorder, request, usage } from './support.ts';

/** The message that a handler puts on its queue. */
async function enqueued(payload: unknown = usage, id = 'msg_1'): Promise<WebhookMessage> {
  const messages: WebhookMessage[] = [];
  const handler = makeHandler({ enqueue: async (_event, raw) => messages.push(raw) });
  await handler(await request(payload, { id }));
  return messages[0] as WebhookMessage;
}

/** A processor with a callback for `usage_threshold`, and what passes it the message of a delivery. */
function setUp(options: Partial<WebhookProcessorOptions> = {}) {
  const callback = vi.fn<(event: unknown, context: WebhookContext) => unknown>();
  const given = { now, logger: recorder(), dedupe: memoryDedupe({ now }), ...options };
  const { process } = createWebhookProcessor({ on: { usage_threshold: callback }, ...given });
  return { callback, process, run: async () => process(await enqueued()) };
}

const processed = { outcome: 'processed' };
const duplicate = { outcome: 'duplicate' };

describe('A processor', () => {
  test('runs the typed callback of the event that the handler verified', async () => {
    const { callback, run } = setUp();
    expect(await run()).toEqual(processed);
    const event = { id: 'msg_1', type: 'usage_threshold', timestamp: at, payload: usage };
    expect(callback).toHaveBeenCalledExactlyOnceWith(event, expect.anything());
  });

  test('accepts the message as JSON too, and keeps every character of the body', async () => {
    const callback = vi.fn();
    const payload = { ...completed, result: 'a\u0000b \ud800 ä 🙂 "\\' };
    const { process } = setUp({ on: { generation_completed: callback } });
    await process(JSON.stringify(await enqueued(payload)));
    expect(callback.mock.calls[0]?.[0].payload).toEqual(payload);
  });

  test('runs a callback once, however often its message is redelivered', async () => {
    const { callback, run } = setUp();
    expect([await run(), await run()]).toEqual([processed, duplicate]);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('shares its done marks with a handler that has the same store', async () => {
    const dedupe = memoryDedupe({ now });
    await makeHandler({ dedupe, on: { usage_threshold: () => {} } })(await request(usage));
    const { callback, run } = setUp({ dedupe });
    expect(await run()).toEqual(duplicate);
    expect(callback).not.toHaveBeenCalled();
  });

  test('rejects with the error of the callback, and runs it again the next time', async () => {
    const { callback, run } = setUp();
    const error = new Error('The database is gone.');
    callback.mockRejectedValueOnce(error);
    await expect(run()).rejects.toBe(error);
    expect(await run()).toEqual(processed);
  });

  test.each([undefined, 'no such table'])(
    'rejects with an Error when a callback throws %s, because queues read its message',
    async (cause) => {
      const { callback, run } = setUp();
      callback.mockRejectedValue(cause);
      const error = await run().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(error).toMatchObject({ cause, message: expect.stringContaining(`${cause}`) });
    },
  );

  test('resolves after a PermanentError and never runs the callback again', async () => {
    const { callback, run } = setUp();
    callback.mockRejectedValue(new PermanentError('no such customer'));
    expect([await run(), await run()]).toEqual([{ outcome: 'permanent_error' }, duplicate]);
  });

  test('rejects while another attempt is running, and says when to try again', async () => {
    const { callback: hold, entered, open } = gate();
    const { callback, run } = setUp();
    callback.mockImplementation(hold);
    const first = run();
    await entered;
    const second = await run().catch((error: unknown) => error);
    expect(second).toBeInstanceOf(WebhookRetryError);
    expect(second).toMatchObject({ code: 'in_flight', retryAfterMs: 10_000 });
    open();
    await first;
  });

  test('rejects when the dedupe store fails', async () => {
    const claim = () => Promise.reject(new Error('gone'));
    const failing = setUp({ dedupe: { ...memoryDedupe(), claim } }).run();
    await expect(failing).rejects.toMatchObject({
      name: 'WebhookRetryError',
      code: 'store_failed',
    });
  });

  test('aborts the callback’s signal with the caller’s, and starts nothing afterwards', async () => {
    const ending = new AbortController();
    const { callback, process } = setUp();
    const seen: unknown[] = [];
    callback.mockImplementation((_event, { signal }) => {
      ending.abort(new Error('The worker ends.'));
      seen.push(signal.reason);
    });
    await process(await enqueued(), { signal: ending.signal });
    expect(seen).toEqual([new Error('The worker ends.')]);
    const late = process(await enqueued(usage, 'msg_2'), { signal: ending.signal });
    await expect(late).rejects.toThrow('The worker ends.');
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test('rejects anything but a message, and messages of a later version', async () => {
    const { process } = setUp();
    const message = await enqueued();
    const bodies = ['', 'text', '[]', '1'].map((body) => ({ ...message, body }));
    const others = [undefined, null, 1, '', 'not JSON', {}, [], { ...message, key: '' }];
    const invalid = { name: 'WebhookMessageError', code: 'message_invalid' };
    for (const wrong of [...others, ...bodies])
      await expect(process(wrong as never)).rejects.toMatchObject(invalid);
    const later = process({ ...message, version: 2 } as never);
    await expect(later).rejects.toThrow(WebhookMessageError);
    await expect(later).rejects.toThrow('deploy processors before receivers');
  });

  test('rejects unknown options of process', async () => {
    const processing = setUp().process(await enqueued(), { signel: 1 } as never);
    await expect(processing).rejects.toThrow("unknown option signel. Did you mean 'signal'?");
  });

  test('needs a dedupe store: a default one would be a different one in each worker', () => {
    expect(() => createWebhookProcessor({ on: {} } as never)).toThrow(
      'dedupe is not given. Pass redisDedupe or postgresDedupe',
    );
  });
});

test('A callback that writes its mark with commitWith is marked in its transaction only, and freed if it throws before that', async () => {
  const calls: string[] = [];
  const inner = memoryDedupe({ now });
  const noting =
    (what: string, write: Dedupe['complete']) =>
    async (...done: Parameters<Dedupe['complete']>) => {
      calls.push(what);
      await write(...done);
    };
  const complete = noting('mark', inner.complete);
  const inTransaction = noting('mark in the transaction', inner.complete);
  const { callback, run } = setUp({
    dedupe: {
      ...{ ...inner, complete, release: noting('release', inner.release) },
      commitWith: (_query, ...done) => inTransaction(...done),
    },
  });
  callback.mockImplementation((_, { commitWith }) => commitWith(async () => ({ rows: [] })));
  callback.mockRejectedValueOnce(new Error('no'));
  await expect(run()).rejects.toThrow('no');
  await run();
  expect(calls).toEqual(['release', 'mark in the transaction']);
});
