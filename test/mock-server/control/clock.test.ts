import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isDuration } from '../../../mock-server/control/arguments.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { files } from '../../support/sources.ts';
import { contractServer, GENERATE, inbox } from '../service/helpers.ts';

const START = Date.UTC(2026, 0, 1);
const webhookUrl = 'https://app.example/cb';
const invalid = expect.objectContaining({ code: 'validation_failed' });

test('advance takes milliseconds, and numbers with a unit', async () => {
  const durations = [
    ...([0, 0.5, 1.4, '250 ms', '1 second', '60 s', '90 seconds', '5min', '2 minutes'] as const),
    ...(['10 minutes', '2 h', '1.5 hours', '1.5 days', '7d'] as const),
  ];
  const moved = [];
  for (const duration of durations) {
    const { mock } = contractServer();
    moved.push((await mock.clock.advance(duration as '1 day')) - START);
  }
  expect(moved).toEqual([
    ...[0, 1, 1, 250, 1000, 60_000, 90_000, 300_000, 120_000],
    ...[600_000, 7_200_000, 5_400_000, 129_600_000, 604_800_000],
  ]);
});

test.each([
  ...['', '1', '5', 's', '5 m', '3 weeks', '-1 days', '1 day ', ' 5 s', '5  s', '1e3 s', '5 S'],
  ...[Number.NaN, -1, Number.POSITIVE_INFINITY, 1e300, '4000000 days', null],
])('advance rejects %j', async (duration) => {
  const { mock } = contractServer();
  await expect(mock.clock.advance(duration as never)).rejects.toEqual(invalid);
  expect(mock.clock.now()).toBe(START);
});

test('every duration that a document, an example or the description of an option shows is one', () => {
  const shown = (...documents: string[]) =>
    files(...documents).flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      const quoted = text.matchAll(/['"`](\d+(?:\.\d+)? ?(?!mb|xx|ab)[a-z]+)['"`]/g);
      return [...quoted].map(([, found = '']) => found);
    });
  const all = [
    ['docs/*.md', 'README.md', 'llms.txt'],
    ['skills/**/*.md'],
    ['examples/**/*.{ts,tsx,md}'],
    ['mock-server/cli/**/*.ts'],
    ['mock-server/{composition,control,simulate}/**/*.ts'],
  ].map((documents) => shown(...documents));
  expect(all.filter((found) => found.length === 0)).toEqual([]);
  expect(all.flat().filter((text) => !isDuration(text))).toEqual([]);
});

test('settle is advance(0): what is due now runs, and what becomes due as a result, but nothing later', async () => {
  for (const step of ['settle', 'advance'] as const) {
    const on = contractServer();
    const received = inbox(on, webhookUrl);
    await on.ok('POST', GENERATE, { prompt: 'now', webhookUrl });
    await on.ok('POST', GENERATE, { prompt: '[[delay 1s]] later', webhookUrl });
    expect(await (step === 'settle' ? on.mock.settle() : on.mock.clock.advance(0))).toBe(START);
    expect(received).toHaveLength(1);
  }
});

test('a receiver that never responds times out after 15 seconds on the clock', async () => {
  const warnings: string[] = [];
  const on = contractServer({ patience: 20, onWarning: (message) => warnings.push(message) });
  on.mock.receivers.set(webhookUrl, () => new Promise<Response>(() => {}));
  await on.ok('POST', GENERATE, { prompt: 'p', webhookUrl });
  await on.mock.settle();
  const [delivery] = on.mock.deliveries();
  expect(delivery).toMatchObject({ status: 'pending', attempts: [] });
  const waiting = `delivery ${delivery?.id} (generation_completed) to ${webhookUrl}`;
  const text = `stopped waiting for ${waiting} after 20 ms of real time`;
  expect(warnings).toEqual([expect.stringContaining(text)]);
  await on.mock.clock.advance('14 seconds');
  expect(warnings).toHaveLength(1);
  await on.mock.clock.advance('1 second');
  const timeout = { error: 'timeout', durationMs: 15_000 };
  expect(on.mock.deliveries()[0]?.attempts).toMatchObject([timeout]);
});

test('settle waits for a receiver, however long it runs', async () => {
  const on = contractServer();
  on.mock.receivers.set(webhookUrl, async () => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    return new Response();
  });
  await on.ok('POST', GENERATE, { prompt: 'p', webhookUrl });
  await on.mock.settle();
  expect(on.mock.deliveries()).toMatchObject([{ status: 'delivered' }]);
});

test.each([
  ['2026-02-03', Date.UTC(2026, 1, 3)],
  ['2026-02-03T04:05:06.789Z', Date.UTC(2026, 1, 3, 4, 5, 6, 789)],
  ['2026-02-03T04:05+02:00', Date.UTC(2026, 1, 3, 2, 5)],
])('a manual clock can start at %s, and a reset returns there', async (start, at) => {
  const { mock } = contractServer({ start });
  expect(mock.clock.now()).toBe(at);
  await mock.clock.advance('1 day');
  mock.reset();
  expect(mock.clock.now()).toBe(at);
});

test('a real clock runs by itself and can be moved forward, and a manual one can start now', async () => {
  const mock = createMockServer({ processingTime: 0 });
  const before = Date.now();
  expect(mock.clock.now()).toBeGreaterThanOrEqual(before);
  expect(await mock.clock.advance('1 day')).toBeGreaterThanOrEqual(before + 86_400_000);
  await mock.close();
  const manual = contractServer({ start: 'now' }).mock.clock.now();
  expect(manual).toBeGreaterThanOrEqual(before);
  expect(manual).toBeLessThanOrEqual(Date.now());
});

test('each calendar month ends on its last day, leap years included, and is billed once', async () => {
  const { mock, ok } = contractServer({ start: '2027-11-30' });
  const used = async () => (await ok<{ requests: number }>('GET', '/api/usage')).requests;
  // November 2027 to March 2028.
  for (let month = 0; month < 5; month += 1) {
    await ok('POST', GENERATE, { prompt: 'p' });
    const end = Date.UTC(2027, 11 + month, 1);
    await mock.clock.advance(end - 1 - mock.clock.now());
    expect([await used(), mock.billing.list()]).toMatchObject([1, { length: month }]);
    await mock.clock.advance(1);
    expect([await used(), mock.billing.list()]).toMatchObject([0, { length: month + 1 }]);
    expect(mock.billing.list().at(-1)?.periodEnd).toBe(new Date(end).toISOString());
  }
});
