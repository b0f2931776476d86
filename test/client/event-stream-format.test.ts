import { expect, test } from 'vitest';
import { createEventParser } from '../../src/server-sent-events.ts';

/**
 * The format cases of the Web Platform Tests (web-platform-tests/wpt, folder `eventsource`, files `format-*`), in our
 * words: what is sent, and the data of the events, each with `event:` and `id:` where they are not empty.
 */
const cases: [name: string, stream: string, events: (string | object)[]][] = [
  [
    'a byte order mark is skipped, but only the first',
    '\uFEFFdata:1\n\n\uFEFFdata:2\n\ndata:3\n\n',
    ['1', '3'],
  ],
  [
    'two byte order marks are one too many',
    '\uFEFF\uFEFFdata:1\n\ndata:2\n\ndata:3\n\n',
    ['2', '3'],
  ],
  [
    'comments',
    `data:1\r:\0\n:\r\ndata:2\n:${'x'.repeat(2048)}\rdata:3\n:data:fail\r:${'x'.repeat(2048)}\ndata:4\n\n`,
    ['1\n2\n3\n4'],
  ],
  [
    'an event without its empty line is dropped',
    'retry:1000\ndata:test1\n\nid:test\ndata:test2',
    ['test1'],
  ],
  ['data without a colon or value', 'data:\n\ndata\ndata\n\ndata:test\n\n', ['', '\n', 'test']],
  ['an empty event name', 'event: \ndata:data\n\n', ['data']],
  ['an event name', 'event:test\ndata:x\n\ndata:x\n\n', [{ data: 'x', event: 'test' }, 'x']],
  [
    'an id belongs to its event alone',
    'id: 1\ndata:a\n\ndata:b\n\n',
    [{ data: 'a', id: '1' }, 'b'],
  ],
  [
    'an id with a NUL is ignored',
    'id: 1\0\ndata:a\n\nid: 2\nid: \0\ndata:b\n\n',
    ['a', { data: 'b', id: '2' }],
  ],
  ['an id outside ASCII', 'id:…\ndata:a\n\n', [{ data: 'a', id: '…' }]],
  ['only the first space is dropped', 'data:\ttest\rdata: \ndata:test\n\n', ['\ttest\n\ntest']],
  [
    'field names must match',
    'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\n\n',
    ['test\n'],
  ],
  [
    'field names must match to the letter',
    'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\rdata\0:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
    ['\0\n 2\n1\n3\n\n4'],
  ],
  ['lines end with CR, LF or both', 'data:test\r\ndata\ndata:test\r\n\r\n', ['test\n\ntest']],
  ['a NUL is data', 'data:\0\n\n\n\n', ['\0']],
  ['retry is no data', 'retry:03000\ndata:x\n\nretry:1000x\ndata:y\n\n', ['x', 'y']],
  ['UTF-8', 'data:ok…\n\n', ['ok…']],
];

test.each(cases)('%s', (_name, stream, events) => {
  const bytes = new TextEncoder().encode(stream);
  const expected = events.map((event) => ({
    ...{ event: '', id: undefined },
    ...(typeof event === 'string' ? { data: event } : event),
  }));
  for (const size of [1, 2, bytes.length]) {
    const decoder = new TextDecoder();
    const parse = createEventParser();
    const read = [];
    for (let at = 0; at < bytes.length; at += size)
      read.push(...parse(decoder.decode(bytes.subarray(at, at + size), { stream: true })));
    expect(read).toEqual(expected);
  }
});
