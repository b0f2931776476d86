import { memoryDedupe, type WebhookHandler } from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import {
  completed,
  failed,
  gate,
  makeHandler,
  now,
  otherSecret,
  recorder,
  request,
} from './support.ts';

/** Ends the wait at once, so that only a result that has already arrived can settle it. */
function unsettled(handler: WebhookHandler, requestId: string) {
  const controller = new AbortController();
  const waiting = handler.waitFor(requestId, { signal: controller.signal });
  controller.abort(new Error('still waiting'));
  return waiting;
}

/** A handler for which something has waited. */
async function waitedFor(options: Parameters<typeof makeHandler>[0] = {}) {
  const handler = makeHandler(options);
  await unsettled(handler, 'gen_before').catch(() => {});
  return handler;
}

describe('waitFor', () => {
  test('settles when the result arrives, after its callback', async () => {
    const order: string[] = [];
    const handler = makeHandler({
      on: { generation_completed: () => void order.push('callback') },
    });
    const waiting = handler.waitFor('gen_1').then((event) => {
      order.push('result');
      return event;
    });
    await handler(await request(completed));
    expect(await waiting).toMatchObject({ type: 'generation_completed', payload: completed });
    expect(order).toEqual(['callback', 'result']);
  });

  test('settles at once with a result that has arrived, failures included', async () => {
    const handler = await waitedFor();
    await handler(await request(failed));
    expect(await handler.waitFor('gen_2')).toMatchObject({ type: 'generation_failed' });
  });

  test('settles with a duplicate too, because another process might have handled the original', async () => {
    const dedupe = memoryDedupe({ now });
    await makeHandler({ dedupe })(await request(completed));
    const second = await waitedFor({ dedupe });
    await second(await request(completed));
    expect(await second.waitFor('gen_1')).toMatchObject({ payload: completed });
  });

  test('ignores a forged result', async () => {
    const handler = await waitedFor();
    await handler(await request(completed, { secret: otherSecret }));
    await expect(unsettled(handler, 'gen_1')).rejects.toThrow('still waiting');
  });

  test('rejects with the reason of its signal', async () => {
    const handler = makeHandler();
    const controller = new AbortController();
    const waiting = handler.waitFor('gen_9', { signal: controller.signal });
    const other = handler.waitFor('gen_1');
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(handler.waitFor('gen_9', { signal: controller.signal })).rejects.toThrow('enough');
    await handler(await request(completed));
    expect((await other).type).toBe('generation_completed');
  });

  test('can be called several times at once, and some callers can stop waiting', async () => {
    const handler = makeHandler();
    const signals = [1, 2, 3].map(() => new AbortController());
    const waiting = signals.map(({ signal }) => handler.waitFor('gen_1', { signal }));
    const stopped = [0, 1].map((n) => expect(waiting[n]).rejects.toThrow('enough'));
    signals[0]?.abort(new Error('enough'));
    const last = handler.waitFor('gen_1');
    signals[1]?.abort(new Error('enough'));
    await Promise.all(stopped);
    await handler(await request(completed));
    for (const one of [waiting[2], last])
      expect(await one).toMatchObject({ type: 'generation_completed' });
    signals[2]?.abort(new Error('too late'));
    expect(await waiting[2]).toMatchObject({ payload: completed });
  });

  test('works again after every caller has stopped waiting', async () => {
    const handler = makeHandler();
    await expect(unsettled(handler, 'gen_1')).rejects.toThrow('still waiting');
    const again = handler.waitFor('gen_1');
    await handler(await request(completed));
    expect(await again).toMatchObject({ payload: completed });
  });

  test.each(['generation_completed_twice', 'not_generation_completed', 'invoice_paid'])(
    'ignores an event of type %s',
    async (event) => {
      const handler = makeHandler();
      await handler(await request({ ...completed, event }));
      await expect(unsettled(handler, 'gen_1')).rejects.toThrow('still waiting');
    },
  );

  test('ignores a result without a request id', async () => {
    const handler = await waitedFor();
    const { requestId: _, ...nameless } = completed;
    await handler(await request(nameless));
    await expect(unsettled(handler, 'gen_1')).rejects.toThrow('still waiting');
  });

  test('ignores a copy of a delivery that is still being handled', async () => {
    const { callback, entered, open } = gate();
    const handler = await waitedFor({ on: { generation_completed: callback } });
    const first = handler(await request(completed));
    await entered;
    expect((await handler(await request(completed))).status).toBe(503);
    await expect(unsettled(handler, 'gen_1')).rejects.toThrow('still waiting');
    open();
    await first;
    expect(await handler.waitFor('gen_1')).toMatchObject({ payload: completed });
  });

  test('ignores a result whose claim failed, because it is sent again', async () => {
    const dedupe = { ...memoryDedupe({ now }), claim: () => Promise.reject(new Error('down')) };
    const on = { generation_completed: () => {} };
    const handler = await waitedFor({ dedupe, on, logger: recorder() });
    expect((await handler(await request(completed))).status).toBe(503);
    await expect(unsettled(handler, 'gen_1')).rejects.toThrow('still waiting');
  });

  test('settles once the queue has the result', async () => {
    const handler = await waitedFor({ enqueue: async () => {} });
    await handler(await request(completed));
    expect(await handler.waitFor('gen_1')).toMatchObject({ payload: completed });
  });

  test('has no results from before the first wait, which a process without waits need not keep', async () => {
    const handler = makeHandler();
    await handler(await request(completed));
    await expect(unsettled(handler, 'gen_1')).rejects.toThrow('still waiting');
  });

  test('remembers at most 8 MiB of results', async () => {
    const handler = await waitedFor();
    const result = 'x'.repeat(1_000_000);
    for (let n = 0; n < 9; n++)
      await handler(
        await request({ ...completed, result, requestId: `gen_${n}` }, { id: `msg_${n}` }),
      );
    await expect(unsettled(handler, 'gen_0')).rejects.toThrow('still waiting');
    for (const kept of ['gen_1', 'gen_8'])
      expect((await handler.waitFor(kept)).payload.requestId).toBe(kept);
  });

  test('remembers only the newest results', async () => {
    const handler = await waitedFor();
    for (let n = 0; n <= 256; n++)
      await handler(await request({ ...completed, requestId: `gen_${n}` }, { id: `msg_${n}` }));
    await expect(unsettled(handler, 'gen_0')).rejects.toThrow('still waiting');
    expect((await handler.waitFor('gen_1')).payload.requestId).toBe('gen_1');
    expect((await handler.waitFor('gen_256')).payload.requestId).toBe('gen_256');
  });
});
