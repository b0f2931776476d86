import { defineDeployment } from 'contentgen/deployment';
import { auditReceiver, deliver, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler, verifyWebhook } from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { recorder, secret } from '../webhooks/support.ts';

type Handler = (request: Request) => Promise<Response>;
type Report = Awaited<ReturnType<typeof auditReceiver>>;

const hmac = { type: 'hmac', header: 'X-S' } as const;
const inHeaders = { ...hmac, signs: '{timestamp}.{body}', timestampHeader: 'X-T' };
const inSignature = {
  ...{ ...hmac, signs: '{timestamp}.{body}' },
  format: 'v1={signature},t={timestamp}',
};
const withId = {
  ...{ ...hmac, signs: '{id}.{timestamp}.{body}', timestampUnit: 'ms' },
  ...{ idHeader: 'X-I', timestampHeader: 'X-T' },
};
const timeOnly = [
  ['a time in a header of its own', inHeaders, 'X-T'],
  ['the time inside the signature header', inSignature, 'X-S'],
] as const;
const signingTime = [...timeOnly, ['an id and a time in ms', withId, 'X-T']] as const;

const wait = async () => {};
const named = ({ results }: Report, wanted: string) =>
  results.filter(({ outcome }) => outcome === wanted).map(({ name }) => name);
const changed = (request: Request, name: string, change: (value: string) => string) => {
  const copy = request.clone();
  copy.headers.set(name, change(request.headers.get(name) ?? ''));
  return copy;
};

/** A receiver that accepts what any of the attempts at verifying accepts. */
const accepting =
  (...attempts: ((request: Request) => Promise<unknown> | undefined)[]): Handler =>
  (request) =>
    Promise.any(attempts.map(async (verify) => (await verify(request.clone())) || Promise.reject()))
      .then(() => new Response())
      .catch(() => new Response(null, { status: 400 }));

describe.each(signingTime)('a scheme with %s', (_name, scheme, timeName) => {
  const deployment = defineDeployment({ scheme });
  const options = { secret, deployment, logger: recorder() };
  const right = createWebhookHandler({ ...options, on: { usage_threshold: () => {} } });
  const timeOf = (value: string) => /(?<=^|t=)\d+$/.exec(value)?.[0] ?? '';
  const verify = (request: Request) => verifyWebhook({ ...options, request });
  const audit = (handler: Handler) => auditReceiver(handler, { secret, deployment, wait });

  test('is audited with every case that applies to it', async () => {
    const report = await auditReceiver(right, { secret, deployment, wait });
    expect(named(report, 'failed'), String(report)).toEqual([]);
    const skipped = report.results.filter(({ outcome }) => outcome === 'skipped');
    for (const { name, got } of skipped)
      expect(`${name}: ${got}`).toMatch(/signs no id$|format of Standard Webhooks$/);
    expect(named(report, 'passed')).toEqual(
      expect.arrayContaining([
        ...['accepts a delivery signed 290 s ago', 'rejects a changed id or time'],
        ...['rejects a stale delivery', 'rejects a delivery from the future'],
        ...['rejects a delivery without time', 'rejects a time that is not a number'],
      ]),
    );
  });

  test('shows a receiver that ignores the time', async () => {
    const report = await audit(
      accepting((request) => {
        const time = timeOf(request.headers.get(timeName) ?? '').slice(0, 10);
        return verifyWebhook({ ...options, request, now: () => Number(time) * 1000 });
      }),
    );
    expect(named(report, 'failed')).toEqual([
      'rejects a stale delivery',
      'rejects a delivery from the future',
    ]);
  });

  test('shows a receiver that needs no time, or accepts a neighbouring one', async () => {
    const lax = accepting(verify, async ({ headers }) => !timeOf(headers.get(timeName) ?? ''));
    expect(named(await audit(lax), 'failed')).toContain('rejects a delivery without time');
    const near = accepting(verify, (request) =>
      verify(changed(request, timeName, (value) => value.replace(/\d+$/, (t) => `${+t + 1}`))),
    );
    expect(named(await audit(near), 'failed')).toEqual(['rejects a changed id or time']);
  });

  test('shows a receiver that compares a part of the digest', async () => {
    const cut = accepting(verify, async ({ headers }) => {
      const [digest = ''] = /[0-9a-f]{42,}/.exec(headers.get('X-S') ?? '') ?? [];
      return digest.length === 42;
    });
    expect(named(await audit(cut), 'failed')).toEqual(['rejects another digest, or a part of it']);
  });

  test.each(['timestamp', 'signature'] as const)('is tampered with: the %s', async (tamper) => {
    const event = sampleEvent('usage_threshold');
    const sent: Request[] = [];
    const spy: Handler = (request) => right(request.clone()).finally(() => sent.push(request));
    const report = await deliver(spy, event, { secret, deployment, tamper });
    expect(report).toMatchObject({ ok: true, attempts: [{ status: 400 }] });
    const isRead = /^[1-9]\d{9}(\d{3})?$/.test(timeOf(sent[0]?.headers.get(timeName) ?? ''));
    expect(isRead).toBe(true);
  });
});

describe('a scheme with an id that is signed', () => {
  const deployment = defineDeployment({ scheme: withId });
  const options = { secret, deployment, logger: recorder() };
  const verify = (request: Request) => verifyWebhook({ ...options, request });

  test('shows a receiver that needs no id, or reads a part of it', async () => {
    const lax = accepting(verify, async ({ headers }) => !headers.get('X-I'));
    const report = await auditReceiver(lax, { secret, deployment, wait });
    expect(named(report, 'failed')).toEqual(['rejects a delivery without id']);
    const part = accepting(verify, (request) =>
      verify(changed(request, 'X-I', (id) => id.replace(/x$/, ''))),
    );
    const partly = await auditReceiver(part, { secret, deployment, wait });
    expect(named(partly, 'failed')).toEqual(['rejects a changed id or time']);
  });

  test('shows a receiver that recognizes duplicates by the body', async () => {
    let effects = 0;
    const seen = new Set<string>();
    const byBody = accepting(async (request) => {
      const text = await request.clone().text();
      await verify(request);
      if (!seen.has(text) && text.includes('usage_threshold')) effects += 1;
      return seen.add(text);
    });
    const report = await auditReceiver(byBody, {
      secret,
      deployment,
      wait,
      effects: () => effects,
    });
    expect(named(report, 'failed')).toEqual(['handles two events with equal bodies']);
  });

  test('is tampered with: the id', async () => {
    const handler = createWebhookHandler({ ...options, on: { usage_threshold: () => {} } });
    const event = sampleEvent('usage_threshold');
    const report = await deliver(handler, event, { secret, deployment, tamper: 'id' });
    expect(report).toMatchObject({ ok: true, attempts: [{ status: 400 }] });
  });
});

test.each([
  ['id', { ...inHeaders, idHeader: 'X-I' }],
  ['id', inHeaders],
  ['timestamp', { ...hmac, timestampHeader: 'X-T' }],
  ['timestamp', hmac],
] as const)(
  'deliver refuses to tamper with the %s where it proves nothing',
  async (tamper, scheme) => {
    const deployment = defineDeployment({ scheme });
    const sent = deliver(() => new Response(), sampleEvent('usage_threshold'), {
      ...{ secret, deployment, tamper },
    });
    await expect(sent).rejects.toThrow(/tamper is (id|timestamp), but (there is no|this scheme)/);
  },
);

test('a time that is sent and not signed has to be fresh, and can be missing', async () => {
  const deployment = defineDeployment({ scheme: { ...hmac, timestampHeader: 'X-T' } });
  const options = { secret, deployment, logger: recorder() };
  const handler = createWebhookHandler({ ...options, on: { usage_threshold: () => {} } });
  const report = await auditReceiver(handler, { secret, deployment, wait });
  expect(named(report, 'failed'), String(report)).toEqual([]);
  expect(named(report, 'passed')).toContain('rejects a stale delivery');
  expect(
    report.results.find(({ name }) => name === 'rejects a delivery without time'),
  ).toMatchObject({ outcome: 'skipped', got: 'not sent: this scheme signs no time' });
});

test.each([
  ['a short digest', { ...inSignature, algorithm: 'sha1' }],
  ['a digest in base64url', { ...inSignature, encoding: 'base64url' }],
] as const)('a right receiver of %s passes', async (_name, scheme) => {
  const deployment = defineDeployment({ scheme });
  const options = { secret, deployment, logger: recorder() };
  const handler = createWebhookHandler({ ...options, on: { usage_threshold: () => {} } });
  const report = await auditReceiver(handler, { secret, deployment, wait });
  expect(named(report, 'failed'), String(report)).toEqual([]);
});
