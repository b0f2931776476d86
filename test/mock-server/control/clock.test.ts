import { expect, test } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { contractServer, GENERATE, inbox } from '../service/helpers.ts';

const START = Date.UTC(2026, 0, 1);
const webhookUrl = 'https://app.example/cb';

test('a manual clock starts at 2026-01-01 and moves only by advance', async () => {
  const { mock } = contractServer();
  expect([mock.clock.mode, mock.clock.now()]).toEqual(['manual', START]);
  await mock.settle();
  expect(mock.clock.now()).toBe(START);
  expect(await mock.clock.advance('1 day')).toBe(START + 86_400_000);
  expect(await mock.clock.advance(1)).toBe(START + 86_400_001);
});

test.each([
  ['250 ms', 250],
  ['1 second', 1000],
  ['90 seconds', 90_000],
  ['2 minutes', 120_000],
  ['1.5 hours', 5_400_000],
  [0.5, 1],
  [0, 0],
] as const)('advance accepts %s', async (duration, ms) => {
  const { mock } = contractServer();
  expect(await mock.clock.advance(duration as '1 day')).toBe(START + ms);
});

test.each([
  '',
  '1',
  '3 weeks',
  '-1 days',
  '1 day ',
  Number.NaN,
  -1,
  Number.POSITIVE_INFINITY,
  1e300,
  '4000000 days',
  null,
])('advance rejects %j', async (duration) => {
  const { mock } = contractServer();
  await expect(mock.clock.advance(duration as never)).rejects.toMatchObject({
    code: 'validation_failed',
  });
  expect(mock.clock.now()).toBe(START);
});

test('each due job runs at its own time, in order', async () => {
  const on = contractServer();
  const { ok, mock } = on;
  inbox(on, webhookUrl);
  for (const seconds of [30, 10, 20]) {
    await ok('POST', GENERATE, { prompt: `[[delay ${seconds}s]] later`, webhookUrl });
  }
  await mock.clock.advance('1 minute');
  const happened = mock
    .events()
    .filter(({ type }) => type === 'generation.completed' || type === 'delivery.created')
    .map(({ type, at }) => `${type} ${at.slice(17, 19)}`);
  expect(happened).toEqual([
    'generation.completed 10',
    'delivery.created 10',
    'generation.completed 20',
    'delivery.created 20',
    'generation.completed 30',
    'delivery.created 30',
  ]);
});

test('settle runs what is due now and what becomes due as a result, but nothing later', async () => {
  const on = contractServer();
  const received = inbox(on, webhookUrl);
  await on.ok('POST', GENERATE, { prompt: 'now', webhookUrl });
  await on.ok('POST', GENERATE, { prompt: '[[delay 1s]] later', webhookUrl });
  await on.mock.settle();
  expect(received).toHaveLength(1);
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
  expect(on.mock.clock.waitingFor()).toEqual([waiting]);
  const text = `stopped waiting for ${waiting} after 20 ms of real time`;
  expect(warnings).toEqual([expect.stringContaining(text)]);
  await on.mock.clock.advance('14 seconds');
  expect(warnings).toHaveLength(1);
  await on.mock.clock.advance('1 second');
  expect(on.mock.deliveries()[0]?.attempts).toMatchObject([
    { error: 'timeout', durationMs: 15_000 },
  ]);
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
  expect(on.mock.clock.waitingFor()).toEqual([]);
});

test('what waits for the clock costs no real time', async () => {
  const warnings: string[] = [];
  const on = contractServer({ patience: 60_000, onWarning: (message) => warnings.push(message) });
  const received = inbox(on, webhookUrl);
  on.mock.faults.add({ delivery: '*', effect: { delay: 3_600_000 } });
  for (let turn = 0; turn < 20; turn += 1) {
    await on.ok('POST', GENERATE, { prompt: 'p', webhookUrl });
    await on.mock.settle();
  }
  expect(received).toEqual([]);
  await on.mock.clock.advance('1 hour');
  expect([received.length, warnings]).toEqual([20, []]);
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

test('a manual clock can start now', () => {
  const before = Date.now();
  const { mock } = contractServer({ start: 'now' });
  expect(mock.clock.now()).toBeGreaterThanOrEqual(before);
  expect(mock.clock.now()).toBeLessThanOrEqual(Date.now());
});

test.each([
  { start: 'yesterday' },
  { start: '2026-02-03T04:05:06' },
  { start: '10000-01-01' },
  { start: 5 },
  { start: 'now', clock: 'real' },
  { patience: -1 },
  { patience: Number.NaN },
  { onWarning: 'x' },
])('the options %j are rejected', (options) => {
  expect(() => createMockServer({ clock: 'manual', ...options } as never)).toThrow(TypeError);
});

test('advanceTo moves to a time and runs what falls due on the way', async () => {
  const on = contractServer();
  const received = inbox(on, webhookUrl);
  await on.ok('POST', GENERATE, { prompt: '[[delay 60s]] later', webhookUrl });
  const target = Date.UTC(2026, 5, 1);
  expect(await on.mock.clock.advanceTo('2026-06-01T00:00:00Z')).toBe(target);
  expect(received).toHaveLength(1);
  const rejected = expect.objectContaining({ code: 'validation_failed' });
  await expect(on.mock.clock.advanceTo('2026-05-31')).rejects.toEqual(rejected);
  await expect(on.mock.clock.advanceTo('soon')).rejects.toEqual(rejected);
  expect(await on.mock.clock.advanceTo('now')).toBeGreaterThan(target);
});

test('advancing 31 days runs all of 10 000 scheduled jobs', async () => {
  const generator = async function* () {
    yield 'text';
  };
  const mock = createMockServer({ clock: 'manual', seed: 1, generator, retention: { lines: 100 } });
  const { organization, adminKey } = mock.createOrganization();
  mock.receivers.set(webhookUrl, () => new Response());
  const body = JSON.stringify({ event: 'data_updated', url: webhookUrl });
  const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
  await mock.fetch(`${mock.baseUrl}/api/webhooks`, { method: 'POST', headers, body });
  const state = mock.snapshot();
  const jobs = Array.from({ length: 10_000 }, (_, number) => {
    const at = START + Math.floor((number * 31 * 86_400_000) / 10_000);
    const period = `usage_${number}`;
    return { at, period };
  });
  mock.restore({
    ...state,
    state: {
      ...state.state,
      usage: jobs.map(({ period }) => ({
        id: period,
        organization,
        periodStart: START,
        used: 1,
        requests: 1,
      })),
      jobs: jobs.map(({ at, period }, number) => ({
        id: `job_${String(at).padStart(16, '0')}_${String(number).padStart(12, '0')}`,
        at,
        kind: 'usage.period_end',
        ref: period,
      })),
    },
  });
  await mock.clock.advance('31 days');
  expect(mock.billing.list({ organization })).toHaveLength(10_000);
  expect(mock.snapshot().state['jobs']).toEqual([]);
});

test('overlapping calls keep their order', async () => {
  const { mock } = contractServer();
  const moved = await Promise.all([
    mock.clock.advance('1 second'),
    mock.settle(),
    mock.clock.advance('2 seconds'),
  ]);
  expect(moved).toEqual([START + 1000, START + 1000, START + 3000]);
});

test('a real clock runs by itself and can be moved forward', async () => {
  const mock = createMockServer({ processingTime: 0 });
  const before = Date.now();
  expect(mock.clock.now()).toBeGreaterThanOrEqual(before);
  const moved = await mock.clock.advance('1 day');
  expect(moved).toBeGreaterThanOrEqual(before + 86_400_000);
  await mock.close();
});

test('the clock stops where years would need five digits', async () => {
  const { mock, ok } = contractServer();
  await mock.clock.advance(Date.UTC(9999, 10, 30) - mock.clock.now());
  const { periodEnd } = await ok<{ periodEnd: string }>('GET', '/api/usage');
  expect(periodEnd).toBe('9999-12-01T00:00:00.000Z');
  const rotated = await ok<{ previousExpiresAt: string }>(
    'POST',
    '/api/webhooks/signing-secret/rotate',
    { overlapSeconds: 604_800 },
  );
  expect(rotated.previousExpiresAt).toBe('9999-12-07T00:00:00.000Z');
  await expect(mock.clock.advance('1 day')).rejects.toMatchObject({ code: 'validation_failed' });
});

test('each calendar month ends on its last day, leap years included, and is billed once', async () => {
  const { mock, ok } = contractServer();
  const used = async () => (await ok<{ requests: number }>('GET', '/api/usage')).requests;
  for (let month = 0; month < 26; month += 1) {
    await ok('POST', '/api/ai/content/generate', { prompt: 'p' });
    const end = Date.UTC(2026, month + 1, 1);
    await mock.clock.advance(end - 1 - mock.clock.now());
    expect([await used(), mock.billing.list()]).toMatchObject([1, { length: month }]);
    await mock.clock.advance(1);
    expect([await used(), mock.billing.list()]).toMatchObject([0, { length: month + 1 }]);
    expect(mock.billing.list().at(-1)?.periodEnd).toBe(new Date(end).toISOString());
  }
});
