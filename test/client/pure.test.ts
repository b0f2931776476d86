import { describe, expect, test, vi } from 'vitest';
import { startTimer } from '../../src/core/deadline.ts';
import { parseRateLimit } from '../../src/core/rate-limit-headers.ts';
import { parseRetryAfter } from '../../src/retry-after.ts';
import { createEventParser } from '../../src/server-sent-events.ts';

const now = Date.UTC(2026, 0, 1);

describe('Retry-After', () => {
  test.each([
    ['1', 1000],
    ['120', 120_000],
    ['0', 0],
    ['9'.repeat(400), 1e13],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ])('%s is %d ms', (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });

  test.each([
    null,
    '',
    '1.5',
    '-1',
    '1e3',
    'soon',
    'Fri, 01 Jan 2026 00:02:00 GMT',
    'Thursday, 01-Jan-26 00:02:00 GMT',
  ])('%j is ignored', (value) => {
    expect(parseRetryAfter(value, now)).toBeUndefined();
  });
});

describe('long timers', () => {
  test('are chained, because a platform timer of more than 24.8 days fires at once', () => {
    vi.useFakeTimers();
    const set = vi.spyOn(globalThis, 'setTimeout');
    const fired = vi.fn();
    const days = 86_400_000;
    startTimer(60 * days, fired);
    vi.advanceTimersByTime(60 * days - 1);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledTimes(1);
    expect(Math.max(...set.mock.calls.map(([, ms]) => ms ?? 0))).toBeLessThan(2 ** 31);
    const cancel = startTimer(60 * days, fired);
    vi.advanceTimersByTime(30 * days);
    cancel();
    startTimer(Number.POSITIVE_INFINITY, fired);
    vi.advanceTimersByTime(90 * days);
    expect(fired).toHaveBeenCalledTimes(1);
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
});

describe('rate limit headers', () => {
  const parse = (limit: string | null, policy: string | null = null) =>
    parseRateLimit(
      new Headers({
        ...(limit !== null && { ratelimit: limit }),
        ...(policy !== null && { 'ratelimit-policy': policy }),
      }),
      now,
    );

  test.each([null, '"a;r=1', '("a";r=1', '"a";r=1234567890123456'])('%j is ignored', (value) => {
    expect(parse(value)).toBeUndefined();
  });

  test.each([
    '"a";r=1;t=2;pk=:a2V5:;qu="requests"',
    '"a";qu=requests;r=1;x=?0;at=@1;t=2',
    '"a"; r=1; t=2 , "b";r=0;t=9',
  ])('%s is read, whatever else it says', (limit) => {
    const policy = '"b";q=5;w=5, "a";q=60;qu="content-bytes";w=60';
    expect(parse(limit, policy)).toEqual({
      policy: 'a',
      remaining: 1,
      resetsAt: new Date(now + 2000),
      limit: 60,
      windowSeconds: 60,
    });
  });

  test('the limit of another policy is ignored', () => {
    expect(parse('"a";r=1;t=2', '"b";q=60;w=60')).not.toHaveProperty('limit');
  });
});

describe('server-sent events', () => {
  const tooLong = () => {
    throw new Error('too long');
  };

  // test/fuzz/client.test.ts compares all else with another parser.
  test.each([
    ['an event without its empty line is dropped', 'data:1\n\nid:2\ndata:2', ['1']],
    ['lines end with CR, LF or both', 'data:1\r\ndata\rdata:2\n\r\n', ['1\n\n2']],
  ])('%s', (_, stream, expected) => {
    const bytewise = createEventParser();
    const events = [...stream].flatMap((character) => bytewise(character));
    for (const read of [createEventParser()(stream), events])
      expect(read.map(({ data }) => data)).toEqual(expected);
  });

  test('can end with only a carriage return, also at the end of the text', () => {
    const parse = createEventParser();
    expect(parse('event: a\rdata: 1\r\r')).toEqual([{ event: 'a', data: '1' }]);
    expect(parse('\n')).toEqual([]);
    expect(parse('data: 2\r')).toEqual([]);
    expect(parse('\n\r\n')).toEqual([{ event: '', data: '2' }]);
  });

  test('an event that never ends fails before it fills the memory', () => {
    const feed = (piece: string) => {
      const parse = createEventParser(1000, tooLong);
      for (let index = 0; index < 200; index += 1) parse(piece);
    };
    expect(() => feed('data:xxxxx')).toThrow('too long');
    expect(() => feed('data: xxxxxxxxxx\n')).toThrow();
    expect(() => feed('data\nevent\n')).toThrow();
    expect(() => feed('data: xxxxxxxxxx\n\n')).not.toThrow();
    expect(() => feed(': ping\n\n')).not.toThrow();
    // Neither comments nor unknown fields count, however long they are.
    for (const piece of [
      ':xxxxxxxxx',
      ': ping\n',
      'xxxxxxxxxx',
      'database: xxxxxxxxxx\n',
      'id: 1\n',
    ])
      expect(() => feed(piece)).not.toThrow();
  });
});
