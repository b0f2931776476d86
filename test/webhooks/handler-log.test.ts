import { memoryDedupe } from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { setUp } from './set-up.ts';
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

const validate = () => import('contentgen/schemas');
const bare = () => new Request('https://app.example/', { method: 'POST', body: '{}' });
const rejected: [code: string, status: number, () => Promise<Request>][] = [
  ['signature_mismatch', 400, () => request(usage, { secret: otherSecret })],
  ['timestamp_too_old', 400, () => request(usage, { timestamp: new Date(now() - 301_000) })],
  ['timestamp_in_future', 400, () => request(usage, { timestamp: new Date(now() + 301_000) })],
  ['body_too_large', 413, () => request({ ...usage, note: 'x'.repeat(1_048_576) })],
  [
    'unsupported_encoding',
    415,
    () => request(usage, {}, { headers: { 'content-encoding': 'gzip' } }),
  ],
  // A payload of a later version: it comes again after a deploy.
  ['payload_invalid', 500, () => request({ ...usage, usage: 'many' })],
  ['missing_header', 400, async () => bare()],
];

describe('Rejected deliveries', () => {
  test.each(rejected)(
    'with %s get a %i with only a code, and in production are one line a minute, with their count',
    async (code, status, make) => {
      vi.stubEnv('NODE_ENV', 'production');
      let time = now();
      const { diagnose: _, ...logger } = recorder();
      const handler = makeHandler({ logger, validate, now: () => time });
      for (let sent = 0; sent < 5; sent++) {
        const response = await handler(await make());
        expect([response.status, await response.json()]).toEqual([status, { code }]);
      }
      expect(logger.lines).toEqual([
        expect.stringMatching(new RegExp(`^warn Rejected a webhook: ${code}\\. \\w`)),
      ]);
      time += 60_000;
      await handler(await make());
      if (code !== 'timestamp_in_future')
        expect(logger.lines[1]).toMatch(new RegExp(`^warn Rejected 5 webhooks: ${code}`));
    },
  );

  test('are counted by code, and without secrets or bodies', async () => {
    const { send, handler, logger } = setUp({ validate });
    for (let round = 0; round < 3; round++) {
      await send(usage, { secret: otherSecret });
      await handler(bare());
      await send({ ...usage, threshold: 'a_new_threshold' });
    }
    expect(logger.lines).toHaveLength(3);
    expect(logger.lines[2]).toContain('(/threshold)');
    for (const hidden of [secret.slice(6), otherSecret.slice(6), 'org_1', 'a_new_threshold'])
      expect(logger.lines.join()).not.toContain(hidden);
  });
});

describe('An event without a callback of its own', () => {
  test('goes to onOther, known or not', async () => {
    const onOther = vi.fn();
    const { send } = setUp({ onOther, on: { generation_completed: () => {} } });
    const later = { event: 'constructor', extra: 1 };
    for (const [index, payload] of [usage, later, completed].entries())
      expect((await send(payload, { id: `msg_${index}` })).http).toBe(200);
    expect(onOther.mock.calls.map(([{ type, payload }]) => [type, payload])).toEqual([
      ['usage_threshold', usage],
      ['constructor', later],
    ]);
  });

  test.each([
    ['development', 1],
    ['production', 0],
  ])('and without onOther is acknowledged; in %s, %i line says so', async (mode, lines) => {
    vi.stubEnv('NODE_ENV', mode);
    const { diagnose: _, ...logger } = recorder();
    const { send } = setUp({ logger, on: {} });
    for (const id of ['msg_1', 'msg_2', 'msg_3'])
      expect(await send(usage, { id })).toEqual({ http: 200, status: 'ignored' });
    await send({ event: 'something_new' }, { id: 'msg_4' });
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
});
