import { ContentGen, ContentGenError, isApiError } from 'contentgen';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillPath } from '../../src/core/request-url.ts';
import { createEventParser, type ServerEvent } from '../../src/server-sent-events.ts';
import { check, patience } from './check.ts';
import { bytes, headerValue, jsonObject, text } from './hostile.ts';

const apiKey = 'cg_test_key-that-must-not-show';
const prompt = 'prompt-that-must-not-show';
const body = fc.oneof(
  bytes,
  jsonObject.map((value) => new TextEncoder().encode(JSON.stringify(value))),
  fc
    .record({
      type: fc.jsonValue(),
      title: fc.jsonValue(),
      status: fc.jsonValue(),
      code: fc.oneof(fc.constantFrom('rate_limited', 'quota_exceeded', 'x'), fc.jsonValue()),
      errors: fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(fc.string(), fc.jsonValue()))),
      resetsAt: fc.oneof(fc.jsonValue(), fc.date({ noInvalidDate: true })),
    })
    .map((value) => new TextEncoder().encode(JSON.stringify(value))),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'content-type',
    'retry-after',
    'ratelimit',
    'ratelimit-policy',
    'x-request-id',
    'deprecation',
    'idempotency-replayed',
  ),
  headerValue,
);
const status = fc.oneof(fc.constantFrom(200, 202, 301, 400, 422, 429, 503), fc.nat({ max: 399 }));

describe('the client', { timeout: patience }, () => {
  test('turns any response into a value or one of its errors, and no error contains a secret', async () => {
    const calls: ((client: ContentGen) => Promise<unknown>)[] = [
      (client) => client.content.generate({ prompt }),
      (client) => client.content.generate({ prompt, webhookUrl: 'https://app.example/' }),
      (client) => client.content.stream({ prompt }).final(),
      (client) => Array.fromAsync(client.apiKeys.list()),
      (client) => client.webhooks.delete('wh_1'),
      (client) => client.usage.get(),
    ];
    const input = fc.record({
      call: fc.constantFrom(...calls),
      status: status.map((value) => (value < 200 ? 200 + value : value)),
      headers,
      body,
    });
    await check(
      fc.asyncProperty(input, async ({ call, status, headers, body }) => {
        const client = new ContentGen({
          baseUrl: 'https://api.example.com',
          apiKey,
          maxRetries: 0,
          deadline: 5_000,
          logLevel: 'off',
          fetch: async () =>
            new Response(/^(204|205|304)$/.test(`${status}`) ? null : body, { status, headers }),
        });
        const error = await call(client).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error === undefined) return;
        if (!(error instanceof ContentGenError)) throw error;
        const text = `${error} ${JSON.stringify(error)}`;
        expect(text).not.toContain(apiKey);
        expect(text).not.toContain(prompt);
        if (isApiError(error) && error.retryAt) expect(error.retryAt.getTime()).not.toBeNaN();
      }),
      400,
    );
  });

  test('keeps every id within its path segment', async () => {
    await check(
      fc.asyncProperty(fc.oneof(text, fc.string({ unit: 'binary-ascii' })), async (id) => {
        let path: string;
        try {
          path = fillPath('/api/webhooks/{id}/test', { id });
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        const { pathname, search, hash } = new URL(path, 'https://api.example.com');
        expect([pathname.split('/').length, search, hash]).toEqual([5, '', '']);
        expect(decodeURIComponent(pathname.split('/')[3] ?? '')).toBe(id);
      }),
      500,
    );
  });
});

describe('the event stream parser', { timeout: patience }, () => {
  const line = fc.oneof(
    fc.constantFrom('data: {"a":1}', 'data', 'data:', 'event: generation.delta', ': ping', 'id: 1'),
    fc.constantFrom('data:\t1 ', 'data:  2', 'Data:3', ' data:4', 'data\0:5', 'da-ta:6', 'data_7'),
    fc.constantFrom(
      'id',
      'id: 1\0',
      'id:…',
      'event',
      'event:',
      'retry:1000',
      ':\0',
      '\0',
      'data:\0',
    ),
    fc.string({ unit: 'grapheme' }).map((value) => `data:${value.replace(/[\r\n]/g, '')}`),
    fc.string().map((value) => value.replace(/[\r\n]/g, '')),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r', '\n\n')), { maxLength: 30 })
    .map((lines) => lines.map((parts) => parts.join('')).join(''));

  test('finds the same events wherever the stream is split', async () => {
    await check(
      fc.asyncProperty(stream, fc.array(fc.nat(), { maxLength: 20 }), async (whole, cuts) => {
        expect(parse(pieces(whole, cuts))).toEqual(parse([whole]));
      }),
      300,
    );
  });

  test('agrees with eventsource-parser on streams whose last line is complete', async () => {
    await check(
      fc.asyncProperty(stream, async (whole) => {
        const ended = `${whole.replace(/\r(?!\n)/g, '\n').replace(/^\uFEFF/, '')}\n\n`;
        expect(parse([ended])).toEqual(reference(ended));
      }),
      300,
    );
  });

  function parse(parts: readonly string[]): ServerEvent[] {
    const next = createEventParser();
    return parts.flatMap((part) => next(part));
  }

  function pieces(whole: string, cuts: readonly number[]): string[] {
    const at = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length];
    at.sort((a, b) => a - b);
    return at.slice(1).map((end, i) => whole.slice(at[i], end));
  }

  function reference(whole: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    const parser = createParser({
      onEvent: ({ event = '', data, id }) => void events.push({ event, data, id }),
    });
    parser.feed(whole);
    return events;
  }
});
