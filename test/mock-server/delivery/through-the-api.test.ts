import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MockServerOptions } from '../../../mock-server/composition/options.ts';
import type { DeliveryEffect } from '../../../mock-server/control/faults/faults.ts';
import { createMockServer } from '../../../mock-server/create-mock-server.ts';
import type { TriggerPayloads } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler, verifyWebhook } from '../../../src/webhooks/index.ts';
import { listen } from '../../support/sockets.ts';
import { recorder } from '../../webhooks/support.ts';

const url = 'https://app.example/hooks';
const token = 'a-token-of-16-chars';

/** A server with a registration, whose receiver responds with each status in turn, then always with the last one. */
async function registered(...statuses: number[]) {
  const on = setup();
  on.receive(...statuses);
  const hook = await on.client.webhooks.create({ event: 'data_updated', url, token });
  /** Sends an event. */
  const send = () => {
    on.mock.trigger('data_updated', facts);
    return on.mock.settle();
  };
  return { ...on, hook, send };
}

function setup(options: MockServerOptions = {}) {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  onTestFinished(() => mock.close());
  const client = new ContentGen(mock.adminOptions);
  const requests: { headers: Record<string, string>; body: Uint8Array; at: number }[] = [];
  const receive = (...statuses: number[]) =>
    mock.receivers.set(url, async (request) => {
      const body = new Uint8Array(await request.arrayBuffer());
      requests.push({ headers: Object.fromEntries(request.headers), body, at: mock.clock.now() });
      const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
      return new Response(null, { status });
    });
  return { mock, client, requests, receive };
}

const facts: TriggerPayloads['data_updated'] = {
  source: 'crm',
  reason: 'external_change',
  records: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
};

describe('deliveries through the public API', () => {
  test('attempts are listed with time, status and duration, and the next one comes when announced', async () => {
    const { mock, client, requests, hook, send } = await registered(500, 200);
    await send();
    const [pending] = (await client.webhooks.listDeliveries(hook.id)).data;
    expect(pending).toMatchObject({
      status: 'pending',
      event: 'data_updated',
      attempts: [{ status: 500, error: 'status', durationMs: 0 }],
    });
    expect(pending).not.toHaveProperty('attempts.0.requestHeaders');
    expect(mock.events().at(-1)).toMatchObject({
      type: 'delivery.attempted',
      data: { attempt: 1, status: 500, error: 'status', nextAttemptAt: pending?.nextAttemptAt },
    });
    const next = Date.parse(pending?.nextAttemptAt ?? '');
    expect(next - mock.clock.now()).toBeGreaterThanOrEqual(4_000);
    expect(next - mock.clock.now()).toBeLessThanOrEqual(6_000);
    await mock.clock.advance(next - mock.clock.now());
    expect(requests.map(({ at }) => at)).toContain(next);
    const [delivered] = (await client.webhooks.listDeliveries(hook.id)).data;
    expect(delivered?.status).toBe('delivered');
    expect(delivered).not.toHaveProperty('nextAttemptAt');
  });

  test.each([
    ['never responds', ''],
    ['never ends its response', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'],
  ])(
    'an HTTP receiver that %s times out after 15 s on the clock, and its connection is closed',
    async (_, begin) => {
      const { mock, client } = setup({ patience: 100, onWarning: () => {} });
      const closed: Promise<unknown>[] = [];
      const silent = createServer((socket) => {
        closed.push(once(socket.resume(), 'close'));
        socket.write(begin);
      });
      const arrived = once(silent, 'connection');
      const own = `http://127.0.0.1:${await listen(silent)}/`;
      const hook = await client.webhooks.create({ event: 'data_updated', url: own });
      mock.trigger('data_updated', facts);
      await mock.settle();
      await arrived;
      expect(closed).toHaveLength(1);
      await mock.clock.advance('15 seconds');
      const [delivery] = (await client.webhooks.listDeliveries(hook.id)).data;
      expect(delivery?.attempts).toMatchObject([{ error: 'timeout', durationMs: 15_000 }]);
      await closed[0];
    },
  );

  test('a rotated secret keeps signing until its overlap ends', async () => {
    const { mock, client, requests, hook, send } = await registered(200);
    const rotated = await client.webhooks.rotateSecret(hook.id, { overlapSeconds: 3600 });
    const check = async (secret: string) => {
      await send();
      const { headers, body } = requests.at(-1) ?? { headers: {}, body: new Uint8Array() };
      return verifyWebhook({ body, headers, secret, now: mock.clock.now, logger: recorder() });
    };
    expect((await check(hook.secret)).type).toBe('data_updated');
    expect((await check(rotated.secret)).type).toBe('data_updated');
    await mock.clock.advance('1 hour');
    expect((await check(rotated.secret)).type).toBe('data_updated');
    await expect(check(hook.secret)).rejects.toMatchObject({ code: 'signature_mismatch' });
    await client.webhooks.rotateSecret(hook.id, { overlapSeconds: 60 });
    await expect(client.webhooks.rotateSecret(hook.id, {})).rejects.toMatchObject({
      code: 'invalid_state',
    });
    const leaked = await client.webhooks.rotateSecret(hook.id, { force: true });
    const options = { overlapSeconds: 0, force: true };
    const replaced = await client.webhooks.rotateSecret(hook.id, options);
    expect((await check(replaced.secret)).type).toBe('data_updated');
    await expect(check(leaked.secret)).rejects.toMatchObject({ code: 'signature_mismatch' });
  });

  test('after a 410, nothing more is sent; enabling the registration clears the reason, and the failed delivery can be sent again', async () => {
    const { mock, client, requests, hook } = await registered(410, 200);
    for (let turn = 0; turn < 3; turn += 1) mock.trigger('data_updated', facts);
    await mock.settle();
    expect(requests).toHaveLength(1);
    const statuses = mock.deliveries().map(({ status }) => status);
    expect(statuses).toEqual(['failed', 'canceled', 'canceled']);
    expect(mock.events().map(({ type }) => type)).toContain('webhook.disabled');
    expect(await client.webhooks.get(hook.id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
      failingSince: expect.any(String),
    });
    const failed = (await client.webhooks.listDeliveries(hook.id)).data.at(-1);
    await expect(client.webhooks.redeliver(failed?.id ?? '')).rejects.toMatchObject({
      code: 'invalid_state',
    });
    mock.trigger('data_updated', facts);
    await mock.clock.advance('1 day');
    expect(requests).toHaveLength(1);
    const enabled = await client.webhooks.update(hook.id, { status: 'enabled' });
    expect(enabled).not.toHaveProperty('disabledReason');
    expect(enabled).not.toHaveProperty('failingSince');
    await client.webhooks.redeliver(failed?.id ?? '');
    await mock.settle();
    expect(requests).toHaveLength(2);
    expect(requests[1]?.body).toEqual(requests[0]?.body);
    expect(requests[1]?.headers['webhook-id']).toBe(requests[0]?.headers['webhook-id']);
    expect(requests[1]?.headers['x-service-token']).toBe(token);
  });

  test('deleting a registration cancels its pending deliveries', async () => {
    const { mock, client, requests, hook, send } = await registered(500);
    await send();
    await client.webhooks.delete(hook.id);
    await mock.clock.advance('10 days');
    expect(requests).toHaveLength(1);
    expect(mock.deliveries().map(({ status }) => status)).toEqual(['canceled']);
  });
});

test.each<[DeliveryEffect, (number | undefined)[]]>([
  [{ badSignature: true }, [400, 200]],
  [{ staleTimestamp: 3600 }, [400, 200]],
  [{ duplicate: 2 }, [200]],
  [{ drop: true }, [undefined, 200]],
  [{ loseAnswer: true }, [undefined, 200]],
  [{ delay: 60_000 }, [200]],
  [{ reorder: true }, [200]],
])('under the delivery fault %o, a callback still runs exactly once', async (effect, statuses) => {
  const { mock, client } = setup();
  const { now } = mock.clock;
  const seen: string[] = [];
  const ids: unknown[] = [];
  const { id, secret } = await client.webhooks.create({ event: 'data_updated', url });
  const on = { data_updated: ({ id }: { id: string }) => void seen.push(id) };
  const handler = createWebhookHandler({ secret, now, logger: recorder(), on });
  mock.receivers.set(url, (request) => {
    ids.push(request.headers.get('webhook-id'));
    return handler(request);
  });
  mock.faults.add({ delivery: 'data_updated', times: 1, effect });
  const [delivery] = mock.trigger('data_updated', facts);
  await mock.clock.advance('10 minutes');
  const [{ attempts = [] } = {}] = (await client.webhooks.listDeliveries(id)).data;
  expect(attempts.map(({ status }) => status)).toEqual(statuses);
  expect(seen).toHaveLength(1);
  const arrived = 'duplicate' in effect ? 3 : 'drop' in effect ? 1 : statuses.length;
  expect(ids).toEqual(new Array(arrived).fill(delivery?.messageId));
});
