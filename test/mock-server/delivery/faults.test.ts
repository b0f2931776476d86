import { describe, expect, test } from 'vitest';
import { addFault } from '../../../mock-server/domain/take-fault.ts';
import { deliverySetup, secretOf, start } from './delivery-setup.ts';
import { bodyOf, callback, verify } from './messages.ts';

describe('delivery faults', () => {
  const withFault = async (effect: Record<string, number | boolean>) => {
    const at = deliverySetup();
    addFault(at.context, { delivery: 'generation_completed', times: 1, effect });
    const { id } = callback(at);
    return { at, id };
  };

  test('delay: the message is sent that much later on the clock, is no work in flight until then, and survives a restart', async () => {
    const { at, id } = await withFault({ delay: 20_000 });
    await at.settle();
    expect(at.context.scheduler.inFlight).toBe(0);
    const nextAttemptAt = start + 20_000;
    expect(at.delivery({ id })).toMatchObject({ status: 'pending', nextAttemptAt, attempts: [] });
    callback(at, undefined, 'gen_2');
    await at.advance(19_999);
    expect(at.sent.map(bodyOf), 'a later one does not wait').toEqual([
      expect.stringContaining('gen_2'),
    ]);
    const saved = at.context.store.snapshot();
    at.context.scheduler.abandon(new Error('restarted'));
    at.context.store.restore(saved);
    at.context.scheduler.recover();
    await at.advance(1);
    expect(at.sent.map((sent) => sent.at)).toEqual([start, nextAttemptAt]);
  });

  test('reorder: the next delivery to the same URL overtakes it', async () => {
    const { at } = await withFault({ reorder: true });
    await at.settle();
    callback(at, 'https://other.example/cb', 'gen_other');
    await at.settle();
    expect(at.sent.map((sent) => sent.url)).toEqual(['https://other.example/cb']);
    callback(at, undefined, 'gen_2');
    await at.settle();
    const order = at.sent.slice(1).map((sent) => JSON.parse(bodyOf(sent)).requestId);
    expect(order).toEqual(['gen_2', 'gen_1']);
    expect(at.sent.map((sent) => sent.at)).toEqual([start, start, start]);
  });

  test('reorder: with nothing to overtake it, it is sent after 30 seconds', async () => {
    const { at, id } = await withFault({ reorder: true });
    await at.advance(29_999);
    expect(at.sent).toEqual([]);
    await at.advance(1);
    expect(at.delivery({ id })).toMatchObject({ status: 'delivered', attempts: { length: 1 } });
  });

  test.each([
    ['organization', { delivery: '*', organization: 'org_2' }],
    ['event', { delivery: 'invoice_paid' }],
  ])('a fault of another %s does not apply', async (_, target) => {
    const at = deliverySetup();
    addFault(at.context, { ...target, effect: { drop: true } });
    callback(at);
    await at.settle();
    expect(at.sent).toHaveLength(1);
    expect(at.context.store.table('faults').count()).toBe(1);
  });

  test('duplicate: that many more identical copies are sent', async () => {
    const { at, id } = await withFault({ duplicate: 2 });
    await at.settle();
    expect(at.sent).toHaveLength(3);
    expect(new Set(at.sent.map((sent) => JSON.stringify([sent.headers, bodyOf(sent)]))).size).toBe(
      1,
    );
    expect(at.delivery({ id }).attempts).toMatchObject([
      { copies: [{ status: 200 }, { status: 200 }] },
    ]);
  });

  test.each<[Record<string, number | boolean>, string, number]>([
    [{ badSignature: true }, 'signature_mismatch', start / 1000],
    [{ staleTimestamp: 301 }, 'timestamp_too_old', start / 1000 - 301],
    // A time before 1970 is none.
    [{ staleTimestamp: 1e15 }, 'timestamp_too_old', 1],
  ])('%j: well-formed, but a receiver rejects it with %s', async (effect, code, timestamp) => {
    const { at } = await withFault(effect);
    await at.settle();
    expect(at.sent[0]?.headers['webhook-timestamp']).toBe(String(timestamp));
    await expect(verify(at.sent[0], secretOf('P'))).rejects.toMatchObject({ code });
  });
});
