import { ContentGen } from 'contentgen';
import { createMockServer, type MockServerOptions } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';

const url = 'https://app.example/callbacks';

function setUp(options: MockServerOptions = {}) {
  const warnings: string[] = [];
  const onWarning = (sentence: string) => void warnings.push(sentence);
  const mock = createMockServer({ clock: 'manual', seed: 1, onWarning, ...options });
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch: mock.fetch,
  });
  const start = () => client.content.start({ prompt: 'x', webhookUrl: url });
  return { mock, client, warnings, start };
}

afterEach(() => vi.unstubAllEnvs());

describe('a receiver on a manual clock', () => {
  const receive = (now?: () => number) => (secret: string) =>
    createWebhookHandler({ secret, logger: { ...console, diagnose: false }, ...(now && { now }) });

  test('that lacks now: mock.clock.now is reported once, with what to pass', async () => {
    const { mock, warnings, start } = setUp();
    mock.receivers.set(url, receive()(mock.signingSecret));
    await start();
    await start();
    await mock.settle();
    await mock.clock.advance('1 hour');
    expect(warnings).toEqual([expect.stringContaining('Pass now: mock.clock.now')]);
  });

  test('that uses another library is reported too, recognized by its message', async () => {
    const { mock, warnings, start } = setUp();
    mock.receivers.set(url, async () => new Response('Message timestamp too old', { status: 400 }));
    await start();
    await mock.settle();
    expect(warnings).toEqual([expect.stringContaining("start: 'now'")]);
  });

  test('on a faked Date, while the mock follows the real clock, is reported as well', async () => {
    const { mock, warnings, start } = setUp({ clock: 'real', processingTime: 0 });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime('2020-01-01');
    mock.receivers.set(url, receive()(mock.signingSecret));
    await start();
    await vi.waitFor(() =>
      expect(warnings).toEqual([expect.stringContaining('follows a faked Date')]),
    );
    await mock.close();
  });

  test('that has the option, or makes another mistake, is not reported', async () => {
    const { mock, warnings, start } = setUp();
    mock.receivers.set(url, receive(mock.clock.now)(mock.signingSecret));
    await start();
    await mock.settle();
    const wrong = createWebhookHandler({
      secret: `whsec_${btoa('k'.repeat(32))}`,
      logger: { ...console, diagnose: false },
      now: mock.clock.now,
    });
    mock.receivers.set(url, wrong);
    await start();
    await mock.settle();
    expect(mock.deliveries().map(({ status }) => status)).toEqual(['delivered', 'pending']);
    expect(warnings).toEqual([]);
  });
});

describe('a webhookUrl without a receiver', () => {
  test('does not leave the machine: no name is resolved, and the warning names the URL once', async () => {
    const { mock, warnings, start } = setUp();
    await start();
    await mock.settle();
    await mock.clock.advance('1 hour');
    const [delivery] = mock.deliveries();
    expect(delivery?.attempts.map(({ error }) => error)).toEqual(
      expect.arrayContaining(['refused_address']),
    );
    expect(delivery?.attempts[0]?.reason).toContain(`mock.receivers.set('${url}', handler)`);
    expect(warnings).toEqual([delivery?.attempts[0]?.reason]);
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
    await mock.createOrganization();
    mock.trigger('generation_completed', { webhookUrl: url } as never);
    await mock.settle();
    expect(warnings).toEqual([expect.stringContaining('pass deliveries: { network: true }')]);
    await mock.close();
  });

  test('outside a test run, or if the options ask for the network, the delivery is sent', async () => {
    outsideTests();
    const sent: string[] = [];
    const reached = async (options: MockServerOptions) => {
      const { mock, start, warnings } = setUp({ ...options, processingTime: 0 });
      await start();
      await mock.settle();
      sent.push(mock.deliveries()[0]?.attempts[0]?.error ?? 'none');
      await mock.close();
      return warnings.length === 0;
    };
    // `.example` never resolves (RFC 2606), so the attempt fails in the resolver.
    expect(await reached({ clock: 'real' })).toBe(true);
    expect(await reached({ deliveries: { network: true } })).toBe(true);
    expect(await reached({ deliveries: { allowPrivate: true } })).toBe(true);
    expect(await reached({ clock: 'real', deliveries: { network: false } })).toBe(false);
    expect(sent.slice(0, 3)).not.toContain('refused_address');
  });

  test('on this machine is still reached', async () => {
    const { mock, client, warnings } = setUp();
    await client.content.start({ prompt: 'x', webhookUrl: 'http://127.0.0.1:9/callbacks' });
    await mock.settle();
    expect(mock.deliveries()[0]?.attempts[0]?.error).not.toBe('refused_address');
    expect(warnings).toEqual([]);
    await mock.close();
  });

  function outsideTests() {
    for (const name of ['VITEST', 'JEST_WORKER_ID', 'NODE_TEST_CONTEXT', 'NODE_ENV'])
      vi.stubEnv(name, undefined);
  }
});

describe('polling on a manual clock that nothing moves', () => {
  test('is reported once, with what to call', async () => {
    const { client, warnings, start } = setUp();
    const { requestId } = await start();
    for (let poll = 0; poll < 6; poll += 1) await client.content.get(requestId);
    expect(warnings).toEqual([expect.stringContaining('Call mock.settle()')]);
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
    await real.mock.close();
    expect([...warnings, ...real.warnings]).toEqual([]);
  });
});

test('a request under a faked queueMicrotask is refused at once, with the name of the function', async () => {
  const warned: string[] = [];
  const onWarning = (text: string) => warned.push(text);
  const mock = createMockServer({ clock: 'manual', onWarning });
  const url = `${mock.baseUrl}/api/ai/content/generate`;
  const body = JSON.stringify({ prompt: 'Hi' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'queueMicrotask'] });
  onTestFinished(() => void vi.useRealTimers());
  for (let count = 0; count < 2; count += 1) {
    await expect(mock.fetch(url, { method: 'POST', body })).rejects.toThrow(
      'queueMicrotask is faked',
    );
  }
  expect(warned).toHaveLength(1);
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
  expect((await mock.fetch(url, { method: 'POST', body })).status).not.toBe(413);
});
