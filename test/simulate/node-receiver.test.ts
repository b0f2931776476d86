import type { IncomingMessage, ServerResponse } from 'node:http';
import { type InstanceContext, nodeReceiver, simulate } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';
import express from 'express';
import { expect, test } from 'vitest';
import { failureOf, silent } from './counter.ts';

const chaos = { loseAnswer: 0.1, duplicate: 0.1, reorder: 0.2, unreachable: 0.1, crash: 0.1 };

/** An Express application that starts its orders, and mails their results, from an outbox. */
function shop(isMarkedFirst: boolean) {
  return ({ client, disk, url, clock, external, ...context }: InstanceContext) => {
    const db = disk.open('db');
    const webhooks = createWebhookHandler({
      secret: () => context.secret,
      logger: silent,
      now: clock.now,
      on: {
        generation_completed: ({ payload: { requestId } }) => db.set(`mail/${requestId}`, true),
      },
    });
    const app = express();
    app.post('/webhooks', toNodeHandler(webhooks));
    app.post('/orders/:number', express.json(), async (request, response) => {
      await db.set(`order/${request.params.number}`, request.body.prompt);
      response.status(202).json({ status: 'accepted' });
    });
    async function work(prefix: string, act: (rest: string, value: string) => Promise<unknown>) {
      for (const key of await db.keys(prefix)) {
        const rest = key.slice(prefix.length);
        const value = (await db.get<string>(key)) ?? '';
        if (isMarkedFirst) await db.delete(key);
        await act(rest, value);
        await db.delete(key);
      }
    }
    const start = (number: string, prompt: string) =>
      client.content.start({ prompt, webhookUrl: url }, { idempotencyKey: `order-${number}` });
    const mail = (id: string) => external('mail').send({ id }, { key: id });
    let isWorking = false;
    clock.every(1000, async () => {
      if (isWorking) return;
      isWorking = true;
      await work('order/', start).catch(() => {});
      await work('mail/', mail).catch(() => {});
      isWorking = false;
    });
    return { handle: nodeReceiver(app) };
  };
}

type Shop = ReturnType<ReturnType<typeof shop>>;

const options = (isMarkedFirst: boolean) => ({
  chaos,
  app: shop(isMarkedFirst),
  receive: (app: Shop) => app.handle,
  async run({ app }: { app: Shop }) {
    const responses = await Promise.allSettled(
      ['a whale', 'a storm'].map((prompt, index) =>
        app.handle(
          new Request(`https://app.example/orders/${index}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ prompt }),
          }),
        ),
      ),
    );
    // A crash breaks the connection.
    for (const response of responses)
      if (response.status === 'fulfilled') expect(response.value.status).toBe(202);
  },
  effects: ({ external }: InstanceContext) =>
    external('mail')
      .received<{ id: string }>()
      .map(({ id }) => id),
});

test('an Express application with an outbox survives every fault', async () => {
  const seeds = Number(process.env['SEEDS'] ?? 15);
  const { runs, coverage } = await simulate({ ...options(false), seeds });
  expect(runs).toBe(seeds);
  expect(coverage).toHaveProperty(['crash after × mail.send']);
});

test('an outbox that forgets before it mails is found', async () => {
  const error = await failureOf(simulate({ ...options(true), seeds: 40, shrinkMs: 300 }));
  expect(error.message).toMatch(/never had its effect|had no effect/);
  expect(error.faults.join()).toMatch(/× (?:mail|db)\./);
});

test('a request reaches the application as it was sent, and its response comes back', async () => {
  const seen: unknown[] = [];
  const echo = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    seen.push(request.method, request.url, request.headers.host, request.headers['x-kind'], body);
    response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] }).end('made');
  };
  const response = await nodeReceiver(echo)(
    new Request('https://app.example/hooks?x=1', {
      method: 'PUT',
      headers: { 'x-kind': 'test' },
      body: 'ünïcode'.repeat(20_000),
    }),
  );
  expect(seen).toEqual(['PUT', '/hooks?x=1', 'app.example', 'test', 'ünïcode'.repeat(20_000)]);
  expect(response.status).toBe(201);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await response.text()).toBe('made');
});

test('an application that throws breaks the connection, and what is no application is named', async () => {
  const broken = nodeReceiver(() => {
    throw new Error('broken');
  });
  await expect(broken(new Request('https://app.example/'))).rejects.toThrow('broken');
  expect(() => nodeReceiver({} as never)).toThrow('nodeReceiver takes (request, response) => …');
});
