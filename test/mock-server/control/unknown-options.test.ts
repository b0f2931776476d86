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
  ['events', 'order', (o) => mock.events(o)],
];

test.each(calls)('%s rejects an unknown option', async (_name, known, call) => {
  const misspelled = `${known}x`;
  const attempt = async () => call({ [misspelled]: undefined } as never);
  const sentence = new RegExp(
    `^Failed to .+: unknown (option|field|field of \\w+) ${misspelled}\\. Did you mean '${known}'\\?`,
  );
  await expect(attempt()).rejects.toThrow(sentence);
});

test.each([
  ['serve', () => serve(mock, 4010 as never)],
  ['sqliteStore', () => sqliteStore('/tmp/never-opened.db', true as never)],
  ['connectMock', () => connectMock('http://127.0.0.1:1', 'token' as never)],
])('%s rejects options that are not an object', async (_name, call) => {
  await expect((async () => call())()).rejects.toThrow(
    /^Failed to .+: options must be an object\.$/,
  );
});
