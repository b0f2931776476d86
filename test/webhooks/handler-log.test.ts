import { memoryDedupe } from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import {
  completed,
  makeHandler,
  now,
  otherSecret,
  recorder,
  request,
  secret,
  usage,
} from './support.ts';

const bare = () => new Request('https://app.example/', { method: 'POST', body: '{}' });
const rejected: Record<string, () => Promise<Request>> = {
  signature_mismatch: () => request(usage, { secret: otherSecret }),
  timestamp_too_old: () => request(usage, { timestamp: new Date(now() - 301_000) }),
  timestamp_in_future: () => request(usage, { timestamp: new Date(now() + 301_000) }),
  body_too_large: () => request({ ...usage, note: 'x'.repeat(1_048_576) }),
  unsupported_encoding: () => request(usage, {}, { headers: { 'content-encoding': 'gzip' } }),
  payload_invalid: () => request({ ...usage, usage: 'many' }),
  missing_header: async () => bare(),
};

describe('Rejected deliveries', () => {
  test.each(Object.entries(rejected))(
    'with %s are one line a minute in production, with their count',
    async (code, make) => {
      vi.stubEnv('NODE_ENV', 'production');
      let time = now();
      const { diagnose: _, ...logger } = recorder();
      const validate = () => import('contentgen/schemas');
      const handler = makeHandler({ logger, validate, now: () => time });
      const send = async (count: number) => {
        for (let sent = 0; sent < count; sent++) await handler(await make());
      };
      await send(20);
      expect(logger.lines).toEqual([
        expect.stringMatching(new RegExp(`^warn Rejected a webhook: ${code}\\. \\w`)),
      ]);
      time += 60_000;
      await send(1);
      if (code !== 'timestamp_in_future')
        expect(logger.lines[1]).toMatch(new RegExp(`^warn Rejected 20 webhooks: ${code}`));
    },
  );

  test('are counted by code, and without secrets or bodies', async () => {
    const logger = recorder();
    const handler = makeHandler({ logger });
    for (let round = 0; round < 3; round++) {
      await handler(await request(usage, { secret: otherSecret }));
      await handler(bare());
    }
    expect(logger.lines).toHaveLength(2);
    for (const hidden of [secret.slice(6), otherSecret.slice(6), 'org_1'])
      expect(logger.lines.join()).not.toContain(hidden);
  });
});

test('A payload that does not match its schema gets 500, so that it comes again after a deploy, and its places are logged', async () => {
  const logger = recorder();
  const validate = () => import('contentgen/schemas');
  const on = { data_updated: () => {} };
  const handler = makeHandler({ logger, validate, on });
  const payload = { event: 'data_updated', organization: 'org_1', source: 's', records: 1 };
  const newReason = { ...payload, reason: 'a_new_reason', updatedAt: '2026-01-01T00:00:00.000Z' };
  const response = await handler(await request(newReason));
  expect([response.status, await response.json()]).toEqual([500, { code: 'payload_invalid' }]);
  expect(logger.lines.join()).toContain('(/reason)');
  expect(logger.lines.join()).not.toContain('a_new_reason');
});

describe('An event without a callback of its own', () => {
  test('goes to onOther, known or not', async () => {
    const onOther = vi.fn();
    const handler = makeHandler({ onOther, on: { generation_completed: () => {} } });
    await handler(await request(usage));
    await handler(await request({ event: 'something_new' }, { id: 'msg_2' }));
    await handler(await request(completed, { id: 'msg_3' }));
    expect(onOther.mock.calls.map(([event]) => event.type)).toEqual([
      'usage_threshold',
      'something_new',
    ]);
  });

  test.each([
    ['development', 1],
    ['production', 0],
  ])('and without onOther is acknowledged; in %s, %i line says so', async (mode, lines) => {
    vi.stubEnv('NODE_ENV', mode);
    const { diagnose: _, ...logger } = recorder();
    const handler = makeHandler({ logger });
    for (const id of ['msg_1', 'msg_2', 'msg_3'])
      expect((await handler(await request(usage, { id }))).status).toBe(200);
    await handler(await request({ event: 'something_new' }, { id: 'msg_4' }));
    expect(logger.lines).toHaveLength(lines);
    if (lines) expect(logger.lines[0]).toContain('Set on.usage_threshold, or onOther');
  });
});

describe('A store must remember a delivery for as long as a copy of it is valid:', () => {
  test.each([
    [300, 600_000, true],
    [300, 599_999, false],
    [undefined, 60_000, false],
    [30, 60_000, true],
    [3600, 7_200_000, true],
    [3600, 864_000, false],
  ])('tolerance %s with ttlMs %i', (tolerance, ttlMs, isAccepted) => {
    const dedupe = memoryDedupe({ ttlMs });
    const construct = () => makeHandler({ dedupe, ...(tolerance && { tolerance }) });
    if (isAccepted) expect(construct).not.toThrow();
    else expect(construct).toThrow(TypeError);
  });

  test('and a tolerance is at most an hour', () => {
    expect(() => makeHandler({ tolerance: 3600 })).not.toThrow();
    expect(() => makeHandler({ tolerance: 3601 })).toThrow(TypeError);
  });
});
