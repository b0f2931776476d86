import { ContentGen, ContentGenError, isApiError } from 'contentgen';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { DisplayString, parseList, serializeList, Token } from 'structured-headers';
import { describe, expect, test } from 'vitest';
import { parseRateLimit } from '../../src/core/rate-limit-headers.ts';
import { fillPath } from '../../src/core/request-url.ts';
import { parseRetryAfter } from '../../src/retry-after.ts';
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

  test('parses Retry-After and RateLimit strictly, never as NaN', async () => {
    await check(
      fc.asyncProperty(headerValue, headerValue, async (one, other) => {
        const retry = parseRetryAfter(one, Date.UTC(2026, 0));
        expect(retry === undefined || retry >= 0).toBe(true);
        const facts = parseRateLimit(
          new Headers({ ratelimit: one, 'ratelimit-policy': other }),
          Date.UTC(2026, 0),
        );
        expect(facts === undefined || Number.isInteger(facts.remaining)).toBe(true);
      }),
      500,
    );
  });
});

describe('the RateLimit headers', { timeout: patience }, () => {
  /** Lists whose items have these values as parameters, and printable characters as names. */
  const lists = (character: string, ...values: fc.Arbitrary<unknown>[]) => {
    const string = fc.stringMatching(new RegExp(`^${character}*$`));
    const key = fc.oneof(
      fc.constantFrom('r', 't', 'q', 'w', 'pk'),
      fc.stringMatching(/^[a-z*][a-z\d_.*-]*$/),
    );
    const value = fc.oneof(
      fc.nat(),
      fc.boolean(),
      fc.constantFrom(0.5, -7, 12.125),
      string,
      ...values,
    );
    const parameters = fc
      .dictionary(key, value, { noNullPrototype: true })
      .map((entries) => new Map(Object.entries(entries)));
    const name = fc.oneof(
      string.filter((text) => text !== ''),
      fc.constant(new Token('tok')),
    );
    const item = fc.tuple(name, parameters);
    const innerList = fc.tuple(fc.array(item, { maxLength: 2 }), parameters);
    return fc
      .array(fc.oneof({ weight: 5, arbitrary: item }, innerList), { minLength: 1 })
      .map((members) => serializeList(members as Parameters<typeof serializeList>[0]));
  };
  const parse = (field: string) => parseRateLimit(new Headers({ ratelimit: field }), 0);

  /** What the reference parser finds in the first item; `undefined` for a list that it rejects. */
  function expected(field: string) {
    try {
      const [[value, of]] = parseList(field) as [[unknown, Map<string, unknown>]];
      const [r, t] = ['r', 't'].map((key) => of.get(key));
      if (typeof value !== 'string' || !Number.isInteger(r) || (r as number) < 0) return undefined;
      const seconds = Number.isInteger(t) && (t as number) > 0 ? (t as number) : 0;
      return { policy: value, remaining: r, resetsAt: new Date(seconds * 1000) };
    } catch {
      return undefined;
    }
  }

  test('are read as the reference parser of structured fields reads them', async () => {
    const list = lists(
      '[ -~]',
      fc.stringMatching(/^[A-Za-z*][\w!#$%&'*+.^`|~:/-]*$/).map((text) => new Token(text)),
      fc.uint8Array().map((bytes) => bytes.buffer),
      // No dates: the reference parser rejects one in front of a comma or semicolon.
      fc.string({ unit: 'grapheme' }).map((text) => new DisplayString(text)),
    );
    await check(
      fc.asyncProperty(list, async (field) => {
        expect(parse(field)).toEqual(expected(field));
      }),
      500,
    );
  });

  test('are ignored wherever the reference parser finds a mistake', async () => {
    const mistake = fc.constantFrom(
      ';',
      ',',
      '"',
      '\\',
      '=',
      '(',
      ')',
      ' ',
      '\t',
      '?',
      'A',
      '1',
      '.',
    );
    // No byte sequences or display strings: one whose content is invalid changes no parameter that is read.
    const list = lists(
      '[ -$&-9;-~]',
      fc.stringMatching(/^[A-Za-z*][\w!#$&'*+.^`|~/-]*$/).map((text) => new Token(text)),
    );
    await check(
      fc.asyncProperty(list, fc.nat(), mistake, async (whole, at, character) => {
        const index = at % (whole.length + 1);
        const field = (whole.slice(0, index) + character + whole.slice(index)).trim();
        // The reference parser reads the decimal 1.0 as the integer 1.
        fc.pre(!/\d\.0+(?!\d)/.test(field));
        expect(parse(field)).toEqual(expected(field));
      }),
      500,
    );
  });
});

describe('the event stream parser', { timeout: patience }, () => {
  const line = fc.oneof(
    fc.constantFrom('data: {"a":1}', 'data', 'data:', 'event: generation.delta', ': ping', 'id: 1'),
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
