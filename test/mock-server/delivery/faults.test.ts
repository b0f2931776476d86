import { describe, expect, test } from 'vitest';
import { addFault } from '../../../mock-server/domain/faults.ts';
import { deliverySetup, minute, secretOf, start } from './delivery-setup.ts';
import { bodyOf, callback, verify } from './messages.ts';

describe('delivery faults', () => {
  const withFault = async (effect: Record<string, number | boolean>) => {
    const at = deliverySetup();
    addFault(at.context, { delivery: 'generation_completed', times: 1, effect });
    const { id } = callback(at);
    return { at, id };
  };

  test('drop: nothing is sent until the next attempt', async () => {
    const { at, id } = await withFault({ drop: true });
    await at.settle();
    expect(at.sent).toEqual([]);
    expect(at.delivery({ id }).attempts).toMatchObject([{ error: 'connection' }]);
    await at.advance(minute);
    expect(at.delivery({ id }).status).toBe('delivered');
  });

  test('delay: the message is sent that much later on the clock', async () => {
    const { at } = await withFault({ delay: 20_000 });
    await at.advance(19_999);
    expect(at.sent).toEqual([]);
    await at.advance(1);
    expect(at.sent.map((sent) => sent.at)).toEqual([start + 20_000]);
  });

  test('duplicate: that many more identical copies are sent', async () => {
    const { at, id } = await withFault({ duplicate: 2 });
    await at.settle();
    expect(at.sent).toHaveLength(3);
    expect(new Set(at.sent.map((sent) => JSON.stringify([sent.headers, bodyOf(sent)]))).size).toBe(
      1,
    );
    expect(at.delivery({ id }).attempts).toHaveLength(1);
  });

  test('badSignature: the signature is well-formed but matches no secret', async () => {
    const { at } = await withFault({ badSignature: true });
    await at.settle();
    await expect(verify(at.sent[0], secretOf('P'))).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
  });

  test('staleTimestamp: the signature is valid for a time in the past', async () => {
    const { at } = await withFault({ staleTimestamp: 301 });
    await at.settle();
    await expect(verify(at.sent[0], secretOf('P'))).rejects.toMatchObject({
      code: 'timestamp_too_old',
    });
    expect(Number(at.sent[0]?.headers['webhook-timestamp'])).toBe(start / 1000 - 301);
  });

  test('a fault for another event does not apply', async () => {
    const at = deliverySetup();
    addFault(at.context, { delivery: 'invoice_paid', effect: { drop: true } });
    callback(at);
    await at.settle();
    expect(at.sent).toHaveLength(1);
  });

  test('a timestamp moved to before 1970 is still a valid timestamp', async () => {
    const { at, id } = await withFault({ staleTimestamp: 1e15 });
    await at.settle();
    expect(at.sent[0]?.headers['webhook-timestamp']).toBe('1');
    expect(at.delivery({ id }).attempts).toHaveLength(1);
  });
});
