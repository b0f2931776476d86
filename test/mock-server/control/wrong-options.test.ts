import { createMockServer } from 'contentgen/mock';
import { serve, sqliteStore } from 'contentgen/mock/http';
import { setupMockServer } from 'contentgen/mock/node';
import { connectMock } from 'contentgen/mock/remote';
import { expect, test } from 'vitest';

const mock = createMockServer({ clock: 'manual' });

/** Every function of the reference server that takes options, with a call that adds some, as JavaScript can. */
const calls: [name: string, known: string, call: (options: never) => unknown][] = [
  ['createMockServer', 'baseUrl', (o) => createMockServer(o)],
  ['createMockServer, rateLimit', 'limit', (rateLimit) => createMockServer({ rateLimit })],
  [
    'createMockServer, processingTime',
    'max',
    (processingTime) => createMockServer({ processingTime }),
  ],
  ['setupMockServer', 'onUnhandledRequest', (o) => setupMockServer(o)],
  ['serve', 'exposeControl', (o) => serve(mock, o)],
  ['sqliteStore', 'fsync', (o) => sqliteStore('/tmp/never-opened.db', o)],
  ['connectMock', 'fetch', (o) => connectMock('http://127.0.0.1:1', o)],
  ['createOrganization', 'quota', (o) => mock.createOrganization(o)],
  ['issueToken', 'expiresIn', (o) => mock.issueToken(o)],
  ['trigger', 'organization', (o) => mock.trigger('data_updated', {}, o)],
  ['requests', 'limit', (o) => mock.requests(o)],
  ['deliveries', 'organization', (o) => mock.deliveries(o)],
  ['events', 'status', (o) => mock.events(o)],
];

test.each(calls)('%s rejects an unknown option', async (_name, known, call) => {
  const misspelled = `${known}x`;
  const attempt = async () => call({ [misspelled]: undefined } as never);
  const sentence = new RegExp(
    `^Failed to .+: unknown (option|field|field of \\w+) ${misspelled}\\. Did you mean '${known}'\\?`,
  );
  await expect(attempt()).rejects.toThrow(sentence);
});

test.each<[mistake: string, call: (wrong: never) => unknown, wrong: unknown]>([
  ['serve: options must be an object; received 4010.', (o) => serve(mock, o), 4010],
  ['serve: port must be an integer from 0 to 65535', (o) => serve(mock, o), { port: '4010' }],
  [
    'serve: exposeControl must be true, false or an array',
    (o) => serve(mock, o),
    { exposeControl: 1 },
  ],
  ['open the data file: options must be an object', (o) => sqliteStore('/tmp/no.db', o), true],
  [
    'open the data file: fsync must be true or false',
    (o) => sqliteStore('/tmp/no.db', o),
    { fsync: 1 },
  ],
  [
    'connect to the mock server: options must be',
    (o) => connectMock('http://127.0.0.1:1', o),
    'token',
  ],
  [
    'set up the mock server: onUnhandledRequest must be one of',
    (o) => setupMockServer(o),
    { onUnhandledRequest: 'ignore' },
  ],
  ['read the log: since must be a time', (o) => mock.requests(o), { since: 'monday' }],
  ['issue the token: role is required.', (o) => mock.issueToken(o), {}],
  [
    'issue the token: expiresIn must be milliseconds',
    (o) => mock.issueToken(o),
    { role: 'admin', expiresIn: 'soon' },
  ],
])('a wrong value is rejected: Failed to %s', async (mistake, call, wrong) => {
  await expect((async () => call(wrong as never))()).rejects.toThrow(`Failed to ${mistake}`);
});
