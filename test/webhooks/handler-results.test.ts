import { memoryDedupe, type WebhookHandler } from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { setUp } from './set-up.ts';
import { completed, failed, gate, now, otherSecret } from './support.ts';

/** Ends the wait at once, so that only a result that has already arrived can settle it. */
function unsettled({ waitFor }: WebhookHandler, requestId = 'gen_1') {
  const controller = new AbortController();
  const waiting = waitFor(requestId, { signal: controller.signal });
  controller.abort(new Error('still waiting'));
  return waiting;
}

/** A handler for which something has waited. */
async function waitedFor(options: Parameters<typeof setUp>[0] = {}) {
  const given = setUp(options);
  await unsettled(given.handler, 'gen_before').catch(() => {});
  return { ...given, waitFor: given.handler.waitFor };
}

describe('waitFor', () => {
  test('settles when the result arrives, after its callback', async () => {
    const order: string[] = [];
    const on = { generation_completed: () => void order.push('callback') };
    const { send, handler } = setUp({ on });
    const waiting = handler.waitFor('gen_1').then((event) => {
      order.push('result');
      return event;
    });
    await send(completed);
    expect(await waiting).toMatchObject({ type: 'generation_completed', payload: completed });
    expect(order).toEqual(['callback', 'result']);
  });

  test('settles at once with a result that has arrived, failures included', async () => {
    const { send, waitFor } = await waitedFor();
    await send(failed);
    expect(await waitFor('gen_2')).toMatchObject({ type: 'generation_failed' });
  });

  test('settles with a duplicate too, because another process might have handled the original', async () => {
    const shared = { dedupe: memoryDedupe({ now }), on: { generation_completed: () => {} } };
    await setUp(shared).send(completed);
    const { send, waitFor } = await waitedFor(shared);
    expect((await send(completed)).status).toBe('duplicate');
    expect(await waitFor('gen_1')).toMatchObject({ payload: completed });
  });

  test('settles once the queue has the result', async () => {
    const { send, waitFor } = await waitedFor({ enqueue: async () => {} });
    expect((await send(completed)).status).toBe('queued');
    expect(await waitFor('gen_1')).toMatchObject({ payload: completed });
  });

  test('rejects with the reason of its signal', async () => {
    const { handler } = setUp();
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = handler.waitFor('gen_9', { signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(handler.waitFor('gen_9', { signal })).rejects.toThrow('enough');
  });

  test('can be called several times at once, and some callers can stop waiting', async () => {
    const { send, handler } = setUp();
    const signals = [1, 2, 3].map(() => new AbortController());
    const waiting = signals.map(({ signal }) => handler.waitFor('gen_1', { signal }));
    const stopped = [0, 1].map((n) => expect(waiting[n]).rejects.toThrow('enough'));
    signals[0]?.abort(new Error('enough'));
    const last = handler.waitFor('gen_1');
    signals[1]?.abort(new Error('enough'));
    await Promise.all(stopped);
    await send(completed);
    for (const one of [waiting[2], last]) expect(await one).toMatchObject({ payload: completed });
    signals[2]?.abort(new Error('too late'));
    expect(await waiting[2]).toMatchObject({ payload: completed });
  });

  const { requestId: _, ...nameless } = completed;
  test.each<[string, unknown, object?]>([
    ['that is forged', completed, { secret: otherSecret }],
    ['without a request id', nameless],
    ['of type generation_completed_twice', { ...completed, event: 'generation_completed_twice' }],
    ['of type invoice_paid', { ...completed, event: 'invoice_paid' }],
  ])('ignores a delivery %s', async (_, payload, signing) => {
    const { send, handler } = await waitedFor();
    await send(payload, signing);
    await expect(unsettled(handler)).rejects.toThrow('still waiting');
  });

  test('ignores a copy of a delivery that is still being handled', async () => {
    const { callback, entered, open } = gate();
    const { send, handler } = await waitedFor({ on: { generation_completed: callback } });
    const first = send(completed);
    await entered;
    expect((await send(completed)).http).toBe(503);
    await expect(unsettled(handler)).rejects.toThrow('still waiting');
    open();
    await first;
    expect(await handler.waitFor('gen_1')).toMatchObject({ payload: completed });
  });

  test('has no results from before the first wait, which a process without waits need not keep', async () => {
    const { send, handler } = setUp();
    await send(completed);
    await expect(unsettled(handler)).rejects.toThrow('still waiting');
  });

  test.each([
    ['8 MiB of results', 8, 'x'.repeat(1_000_000)],
    ['256 results', 256, 'x'],
  ])('remembers the newest, at most %s', async (_, most, result) => {
    const { send, handler } = await waitedFor();
    for (let n = 0; n <= most; n++)
      await send({ ...completed, result, requestId: `gen_${n}` }, { id: `msg_${n}` });
    await expect(unsettled(handler, 'gen_0')).rejects.toThrow('still waiting');
    for (const kept of ['gen_1', `gen_${most}`])
      expect((await handler.waitFor(kept)).payload.requestId).toBe(kept);
  });
});
