import { auditReceiver, sampleTypes } from 'contentgen/testing';
import { createWebhookHandler } from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { bodyDeployment, bodyHmac } from '../support/body-hmac.ts';
import { recorder, secret } from '../webhooks/support.ts';

const good = (options = {}) => {
  let effects = 0;
  const handler = createWebhookHandler({
    secret,
    logger: recorder(),
    on: { usage_threshold: () => new Promise((resolve) => setImmediate(() => resolve(effects++))) },
    ...options,
  });
  return { handler, effects: () => effects };
};
/** Waits no longer than the receiver needs for an effect. */
const wait = () => new Promise<void>((resolve) => setImmediate(resolve));
const failures = (report: Awaited<ReturnType<typeof auditReceiver>>) =>
  report.results.filter(({ ok }) => !ok).map(({ name }) => name);

describe('auditReceiver', () => {
  test.each([
    ['another scheme cannot guarantee', { scheme: bodyHmac({ prefix: 'sha256=' }) }, 13],
    [
      'needs a time if a deployment sends none',
      { deployment: bodyDeployment({ envelopeHeaders: false }) },
      17,
    ],
  ])('skips what %s', async (_, options, skipped) => {
    const { handler } = good(options);
    const report = await auditReceiver(handler, { secret, ...options, wait });
    expect(failures(report)).toEqual([]);
    expect(report.skipped).toBe(skipped);
  });

  test('says how to observe what the responses do not show', async () => {
    const report = await auditReceiver(good().handler, { secret, wait });
    expect(report).toMatchObject({ ok: true, failed: 0, notObservable: 8 });
    const open = report.results.filter(({ outcome }) => outcome === 'not_observable');
    for (const { advice } of open) expect(advice).toMatch(/--effects URL.*auditReceiver|failNext/);
    expect(String(report)).toMatch(/\? +handles a duplicate once .*effects not observable/);
  });

  test('looks for effects that come seconds later by its own wait', async () => {
    let waitedMs = 0;
    let effects = 0;
    const { handler } = good({ on: { usage_threshold: () => effects++ } });
    const options = { secret, effects: () => (waitedMs > 4000 ? effects : 0) };
    const counted = async (ms: number) => {
      waitedMs += ms;
    };
    expect(failures(await auditReceiver(handler, { ...options, wait: counted }))).toEqual([]);
    const report = await auditReceiver(handler, { secret, effects: () => 0, wait: counted });
    expect(report.results[0]?.got).toBe('200; 0 effects');
    expect(report.results[0]?.advice).toContain('let effects count it');
  });

  test('fails a receiver that checks nothing', async () => {
    const report = await auditReceiver(() => new Response('thanks'), { secret, wait });
    expect(report.ok).toBe(false);
    const { results } = report;
    const passed = results.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name);
    expect(passed.filter((name) => !name.startsWith('accepts'))).toEqual([]);
    expect(results.find(({ name }) => name === 'rejects GET')?.outcome).toBe('warning');
    expect(results.filter(({ ok, advice }) => !ok && !advice)).toEqual([]);
  });

  test('fails a receiver that is too slow or unreachable', async () => {
    const slow = good();
    const report = await auditReceiver(slow.handler, { secret, slowMs: 0, wait });
    expect(report.results[0]).toMatchObject({
      outcome: 'failed',
      got: expect.stringContaining('after'),
    });
    const unreachable = await auditReceiver(() => Promise.reject(new Error('unreachable')), {
      secret,
    });
    expect(unreachable.passed).toBe(0);
  });

  test('reports plain data and a table', async () => {
    const report = await auditReceiver(() => new Response('thanks'), { secret, wait });
    const data = JSON.parse(JSON.stringify(report));
    expect(data.results[0]).toMatchObject({
      name: 'accepts usage_threshold',
      outcome: 'passed',
    });
    const table = String(report).split('\n');
    expect(table[1]).toMatch(/^ok {4}accepts usage_threshold +2xx +200 +\d+ ms$/);
    expect(table.at(-1)).toBe(
      `${report.passed} passed, ${report.failed} failed, ${report.warnings} warnings, 0 skipped, 7 not observable`,
    );
    expect(String(report)).toContain('Reject deliveries older than');
    expect(String(report)).not.toContain(secret.slice(6));
  });
});

describe('a receiver that accepts nothing', () => {
  const other = `whsec_${btoa('o'.repeat(32))}`;

  test('because of the wrong secret is asked about that first, and is sent no forgery', async () => {
    let requests = 0;
    const { handler } = good({ secret: other });
    const counted = (request: Request) => {
      requests += 1;
      return handler(request);
    };
    const report = await auditReceiver(counted, { secret });
    expect(report).toMatchObject({ ok: false, passed: 0, failed: sampleTypes.length });
    expect(requests).toBe(sampleTypes.length);
    const [first] = String(report).split('\n');
    expect(first).toBe(
      'No delivery was accepted (400 signature_mismatch). The receiver has another secret, or does not verify the raw body. Callbacks are signed with the secret of the project (contentgen doctor compares it), events with that of their registration, an audit with the secret that it is given.',
    );
    expect(report.problem).toBe(first);
    expect(String(report)).not.toContain('not sent');
  });

  test.each([
    ['has no such route', 404, '', 'No route matches.'],
    ['redirects', 308, '', 'Use the final URL'],
    ['parses bodies first', 500, '{"code":"body_already_parsed"}', 'body parser'],
    ['throws', 500, '', "What does the receiver's log say?"],
    ['has a clock that is wrong', 400, '{"code":"timestamp_too_old"}', 'clock'],
    ['wants a token', 400, '{"code":"token_mismatch"}', 'that of its registration'],
    ['says nothing', 400, '', 'the secret of this audit'],
  ])('that %s gets advice on that', async (_name, status, body, advice) => {
    const report = await auditReceiver(async () => new Response(body, { status }), {
      secret,
      wait,
    });
    expect(report.problem).toContain(advice);
  });

  test('one of several types is enough to go on', async () => {
    const { handler } = good();
    let requests = 0;
    const report = await auditReceiver(
      async (request) => {
        requests += 1;
        return requests < 3 ? new Response('', { status: 500 }) : handler(request);
      },
      { secret, wait },
    );
    expect(report.problem).toBeUndefined();
    expect(requests).toBeGreaterThan(sampleTypes.length);
  });
});
