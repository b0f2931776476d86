import { sampleEvent } from 'contentgen/testing';
import {
  createWebhookHandler,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventOf,
} from 'contentgen/webhooks';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import { redisDedupe } from 'contentgen/webhooks/redis';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { Sql } from 'postgres';
import type { createClient } from 'redis';
import { expectTypeOf, test } from 'vitest';
import type { components } from '../../src/generated/openapi.ts';

type Schemas = components['schemas'];

test('an event is a union discriminated by type, open to later types', () => {
  const read = (event: WebhookEvent) => {
    if (event.type === 'usage_threshold') {
      expectTypeOf(event.payload).toEqualTypeOf<Schemas['UsageThresholdEvent']>();
      return;
    }
    switch (event.type) {
      case 'generation_completed':
        expectTypeOf(event.payload.result).toEqualTypeOf<string>();
        expectTypeOf(event.payload.requestId).toEqualTypeOf<string | undefined>();
        break;
      case 'generation_failed':
        expectTypeOf(event.payload.error.code).toEqualTypeOf<string>();
        break;
      case 'invoice_paid':
      case 'invoice_payment_failed':
        expectTypeOf(event.payload.invoice).toEqualTypeOf<Schemas['Invoice']>();
        break;
      case 'data_updated':
        expectTypeOf(event.payload.reason).toEqualTypeOf<
          'ingestion_completed' | 'external_change'
        >();
        break;
      default:
        expectTypeOf(event.payload).toEqualTypeOf<Readonly<Record<string, unknown>>>();
        expectTypeOf(event.type).toExtend<string>();
    }
  };
  expectTypeOf(read).toBeFunction();
});

test('callbacks are typed by event, and only for known events', () => {
  const handler = createWebhookHandler({
    secret: 'whsec_…',
    on: {
      usage_threshold: (event, { signal, attemptId }) => {
        expectTypeOf(event).toEqualTypeOf<WebhookEventOf<'usage_threshold'>>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(attemptId).toEqualTypeOf<string>();
      },
      // @ts-expect-error no such type
      usage_treshold: () => {},
    },
    onOther: (event) => expectTypeOf(event).toEqualTypeOf<WebhookEvent>(),
  });
  expectTypeOf(handler).toExtend<(request: Request) => Promise<Response>>();
  expectTypeOf(handler.waitFor('gen_1')).resolves.toHaveProperty('payload');
});

test('a delivery is a Request, or a body with headers', () => {
  const secret = 'whsec_…';
  verifyWebhook({ request: {} as Request, secret });
  verifyWebhook({
    body: new Uint8Array(),
    headers: new Headers(),
    secret: [secret, new Uint8Array()],
  });
  verifyWebhook({ body: '', headers: new Map([['a', 'b']]), secret });
  verifyWebhook({ body: '', headers: [['a', 'b']], secret });
  verifyWebhook({ body: '', headers: {} as import('node:http').IncomingHttpHeaders, secret });
  // @ts-expect-error a parsed body cannot be verified
  verifyWebhook({ body: { parsed: true }, headers: {}, secret });
  // @ts-expect-error headers are needed
  verifyWebhook({ body: '', secret });
});

test('a sample has the type of its event', () => {
  expectTypeOf(sampleEvent('invoice_paid')).toEqualTypeOf<WebhookEventOf<'invoice_paid'>>();
  // @ts-expect-error no such member
  sampleEvent('usage_threshold', { used: 1 });
});

test('stores accept the clients of common libraries', () => {
  const pool = {} as Pool;
  const sql = {} as Sql;
  redisDedupe({} as Redis);
  redisDedupe({} as ReturnType<typeof createClient>);
  postgresDedupe((text, params) => pool.query(text, params), { createTable: false });
  postgresDedupe(async (text, params) => ({ rows: await sql.unsafe(text, params) }));
});
