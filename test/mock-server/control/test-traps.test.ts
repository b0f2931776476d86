import { ContentGen } from 'contentgen';
import { createMockServer, type MockServerOptions } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';

const url = 'https://app.example/callbacks';
const logger = { ...console, diagnose: false };

function setUp(options: MockServerOptions = {}) {
  const warnings: string[] = [];
  const onWarning = (sentence: string) => void warnings.push(sentence);
  const mock = createMockServer({ clock: 'manual', seed: 1, onWarning, ...options });
  onTestFinished(() => mock.close());
  const client = new ContentGen(mock.adminOptions);
  const start = (webhookUrl = url) => client.content.start({ prompt: 'x', webhookUrl });
  const firstAttempt = () => mock.deliveries()[0]?.attempts[0];
  return { mock, client, warnings, start, firstAttempt };
}

afterEach(() => vi.unstubAllEnvs());

describe('a receiver on another clock', () => {
  test.each<[name: string, sentence: string, other?: Response]>([
    ['that lacks now: mock.clock.now', 'Pass now: mock.clock.now'],
    [
      'of another library, recognized by its message',
      "start: 'now'",
      new Response('Message timestamp too old', { status: 400 }),
    ],
  ])('%s is reported once, with what to do', async (_, sentence, other) => {
    const { mock, warnings, start } = setUp();
    const handler = createWebhookHandler({ secret: mock.signingSecret, logger });
    mock.receivers.set(url, async (request) => other?.clone() ?? handler(request));
    await start();
    await start();
    await mock.settle();
    await mock.clock.advance('1 hour');
    expect(warnings).toEqual([expect.stringContaining(sentence)]);
  });

  test('that has the option, makes another mistake or gets a stale timestamp from a fault is not reported', async () => {
    const { mock, warnings, start } = setUp();
    const { now } = mock.clock;
    for (const secret of [mock.signingSecret, `whsec_${btoa('k'.repeat(32))}`]) {
      mock.receivers.set(url, createWebhookHandler({ secret, logger, now }));
      await start();
      await mock.settle();
    }
    mock.receivers.set(url, createWebhookHandler({ secret: mock.signingSecret, logger, now }));
    mock.faults.add({ delivery: '*', times: 1, effect: { staleTimestamp: 3600 } });
    await start();
    await mock.settle();
    const statuses = mock.deliveries().map(({ status }) => status);
    expect(statuses).toEqual(['delivered', 'pending', 'pending']);
    expect(warnings).toEqual([]);
  });
});

describe('a webhookUrl without a receiver', () => {
  const outsideTests = () => {
    for (const name of ['VITEST', 'JEST_WORKER_ID', 'NODE_TEST_CONTEXT', 'NODE_ENV'])
      vi.stubEnv(name, undefined);
  };

  test('does not leave the machine: no name is resolved, and the warning names the URL once', async () => {
    const { mock, warnings, start, firstAttempt } = setUp();
    await start();
    await mock.settle();
    await mock.clock.advance('1 hour');
    const { error, reason } = firstAttempt() ?? {};
    expect(error).toBe('refused_address');
    expect(reason).toContain(`mock.receivers.set('${url}', handler)`);
    expect(warnings).toEqual([reason]);
  });

  test.each([
    ['VITEST', 'true'],
    ['JEST_WORKER_ID', '1'],
    ['NODE_TEST_CONTEXT', 'child-v8'],
    ['NODE_ENV', 'test'],
  ])('under %s, a real clock makes no difference', async (name, value) => {
    outsideTests();
    vi.stubEnv(name, value);
    const { mock, warnings } = setUp({ clock: 'real', processingTime: 0 });
    mock.trigger('generation_completed', { webhookUrl: url });
    await mock.settle();
    expect(warnings).toEqual([expect.stringContaining('pass deliveries: { network: true }')]);
  });

  // `.example` never resolves (RFC 2606), so an attempt that is sent fails in the resolver.
  test.each<[isSent: boolean, options: MockServerOptions]>([
    [true, { clock: 'real' }],
    [true, { deliveries: { network: true } }],
    [true, { deliveries: { allowPrivate: true } }],
    [false, { clock: 'real', deliveries: { network: false } }],
  ])('outside a test run, it is %j that the delivery is sent with %j', async (isSent, options) => {
    outsideTests();
    const { mock, start, warnings, firstAttempt } = setUp({ ...options, processingTime: 0 });
    await start();
    await mock.settle();
    expect(firstAttempt()?.error !== 'refused_address').toBe(isSent);
    expect(warnings.length === 0).toBe(isSent);
  });

  test('on this machine is still reached', async () => {
    const { mock, start, warnings, firstAttempt } = setUp();
    await start('http://127.0.0.1:9/callbacks');
    await mock.settle();
    expect(firstAttempt()?.error).not.toBe('refused_address');
    expect(warnings).toEqual([]);
  });
});

describe('polling on a manual clock that nothing moves', () => {
  test('is reported once, with what to call', async () => {
    const { client, warnings, start } = setUp();
    const { requestId } = await start();
    for (let poll = 0; poll < 6; poll += 1) await client.content.get(requestId);
    expect(warnings).toEqual([expect.stringContaining('call mock.settle()')]);
    expect(warnings[0]).toContain(requestId);
  });

  test('is fine while the clock moves, once the generation is done, and on a real clock', async () => {
    const { mock, client, warnings, start } = setUp({ processingTime: 10_000 });
    mock.receivers.set(url, async () => new Response());
    const { requestId } = await start();
    for (let poll = 0; poll < 5; poll += 1) {
      await client.content.get(requestId);
      await mock.clock.advance('1 second');
    }
    await mock.clock.advance('10 seconds');
    for (let poll = 0; poll < 5; poll += 1) await client.content.get(requestId);
    const real = setUp({ clock: 'real', processingTime: 60_000 });
    const job = await real.start();
    for (let poll = 0; poll < 5; poll += 1) await real.client.content.get(job.requestId);
    expect([...warnings, ...real.warnings]).toEqual([]);
  });
});

test('a request under a faked queueMicrotask is refused at once, with the name of the function', async () => {
  const { mock, warnings } = setUp();
  const body = JSON.stringify({ prompt: 'Hi' });
  const send = () =>
    mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, { method: 'POST', body });
  vi.useFakeTimers({ toFake: ['setTimeout', 'queueMicrotask'] });
  onTestFinished(() => void vi.useRealTimers());
  for (let count = 0; count < 2; count += 1) {
    await expect(send()).rejects.toThrow('queueMicrotask is faked');
  }
  expect(warnings).toHaveLength(1);
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
  expect((await send()).status).not.toBe(413);
});
