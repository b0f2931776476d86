import { deliver, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler } from 'contentgen/webhooks';
import { redisDedupe } from 'contentgen/webhooks/redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dedupeContract } from '../../webhooks/dedupe-contract.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/**
 * What every store must do, with one Redis client on a real Redis. `connect` returns the client, a function
 * that sends any command, and one that disconnects.
 */
export function redisContract(name, connect) {
  describe(`redisDedupe over ${name}`, () => {
    let connected;
    beforeAll(async () => {
      connected = await connect(globalThis.contentgenSuite.bindings ?? globalThis.process.env);
    });
    afterAll(() => connected.close());

    dedupeContract(
      () => redisDedupe(connected.client),
      async () => {
        for (const key of await connected.command('KEYS', 'contentgen:webhook:*'))
          if ((await connected.command('GET', key)) !== 'done') await connected.command('DEL', key);
      },
    );

    test('only one of the copies delivered at once has an effect', async () => {
      let effects = 0;
      const receiver = createWebhookHandler({
        secret,
        dedupe: redisDedupe(connected.client),
        on: { usage_threshold: () => void effects++ },
      });
      const event = sampleEvent('usage_threshold');
      const report = await deliver(receiver, event, { secret, duplicates: 4, concurrent: true });
      expect(report.ok).toBe(true);
      expect(effects).toBe(1);
    });
  });
}
