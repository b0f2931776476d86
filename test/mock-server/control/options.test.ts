import { createMockServer } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';
import { setupMockServer } from 'contentgen/mock/node';
import { connectMock } from 'contentgen/mock/remote';
import { expect, test } from 'vitest';
import { mockRules } from '../../../mock-server/composition/option-rules.ts';

test('a mock has 26 members, and what only adapters need is not among them', () => {
  expect(Object.keys(createMockServer()).sort()).toEqual(
    [
      ...['adminKey', 'memberKey', 'signingSecret', 'organization', 'baseUrl'],
      ...['clientOptions', 'adminOptions', 'issueToken', 'createOrganization'],
      ...['clock', 'settle', 'hold', 'trigger', 'faults', 'receivers'],
      ...['requests', 'deliveries', 'events', 'redeliver', 'coverage', 'billing'],
      ...['snapshot', 'restore', 'reset', 'fetch', 'close'],
    ].sort(),
  );
});

test('createMockServer has 22 options', () => {
  expect(Object.keys(mockRules).sort()).toEqual(
    [
      ...['baseUrl', 'deployment', 'scheme', 'store', 'adminKey', 'jwks'],
      ...['clock', 'start', 'seed', 'patience', 'processingTime', 'streamGrace'],
      ...['generator', 'models', 'quota', 'rateLimit', 'faults', 'deliveries'],
      ...['retention', 'logBodies', 'onError', 'onWarning'],
    ].sort(),
  );
});

test.each([
  ...[{ baseUrl: 'api.example.com' }, { baseUrl: 'https://api.example.com?x=1' }],
  ...[{ seed: 1.5 }, { seed: Number.NaN }, { quota: -1 }, { clok: 'manual' }, { clock: 'fast' }],
  ...[-1, { min: 2, max: 1 }, Number.NaN, null].map((processingTime) => ({ processingTime })),
  ...[0, Number.NaN].map((limit) => ({ rateLimit: { limit, windowSeconds: 1 } })),
  ...[{ deployment: { tokenHeader: 'X-Token' } }, { models: 'a,b' }, { generator: 'gpt' }],
  ...[7, { lines: 0 }, { count: 0 }, { bytes: 1000 }].map((retention) => ({ retention })),
  { deliveries: { ca: 'not PEM' } },
  ...[{ deliveries: { allow: true } }, { onWarning: 'x' }],
  { faults: [{ operation: 'getUsage', effect: { status: 1 } }] },
  ...['yesterday', '2026-02-03T04:05:06', '10000-01-01', 5].map((start) => ({ start })),
  ...[{ start: 'now', clock: 'real' }, { patience: -1 }, { patience: Number.NaN }],
])('an invalid option is rejected: %j', (options) => {
  const create = () => createMockServer({ clock: 'manual', ...options } as never);
  expect(create).toThrow(TypeError);
  expect(create).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});

const mock = createMockServer({ clock: 'manual' });

/** Every function of the reference server that takes options, with a call that adds some, as JavaScript can. */
const calls: readonly [name: string, known: string, call: (options: never) => unknown][] = [
  ['createMockServer', 'baseUrl', (o) => createMockServer(o)],
  ['createMockServer, rateLimit', 'limit', (o) => createMockServer({ rateLimit: o })],
  ['createMockServer, processingTime', 'max', (o) => createMockServer({ processingTime: o })],
  ['createMockServer, retention', 'lines', (o) => createMockServer({ retention: o })],
  ['setupMockServer', 'onUnhandledRequest', (o) => setupMockServer(o)],
  ['serve', 'controlToken', (o) => serve(mock, o)],
  ['connectMock', 'fetch', (o) => connectMock('http://127.0.0.1:1', o)],
];

test.each(calls)('%s rejects an unknown option', async (_name, known, call) => {
  const misspelled = `${known}x`;
  const attempt = async () => call({ [misspelled]: undefined } as never);
  const sentence = new RegExp(
    `^Failed to .+: unknown (option|field|field of \\w+) ${misspelled}\\. Did you mean '${known}'\\?`,
  );
  await expect(attempt()).rejects.toThrow(sentence);
});

test.each<[mistake: string, name: string, wrong: unknown]>([
  ['serve: options must be an object; received 4010.', 'serve', 4010],
  ['serve: port must be an integer from 0 to 65535', 'serve', { port: '4010' }],
  ['connect to the mock server: options must be', 'connectMock', 'token'],
  [
    'set up the mock server: onUnhandledRequest must be one of',
    'setupMockServer',
    { onUnhandledRequest: 'ignore' },
  ],
])('a wrong value is rejected: Failed to %s', async (mistake, name, wrong) => {
  const [, , call = () => {}] = calls.find(([known]) => known === name) ?? [];
  await expect((async () => call(wrong as never))()).rejects.toThrow(`Failed to ${mistake}`);
});
