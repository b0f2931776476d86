import { type ClientOptions, ContentGen, GenerationFailedError } from 'contentgen';
import { createMockServer, type MockServer } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { inBrowsers } from './support/in-browsers.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const callbackUrl = 'https://app.example/callbacks';
const prompt = 'A haiku about TCP';

function setUp(options: object = {}) {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  return { mock, client: clientOf(mock, { apiKey: mock.adminKey, logLevel: 'off', ...options }) };
}

const clientOf = ({ baseUrl, fetch }: MockServer, options: ClientOptions) =>
  new ContentGen({ ...inBrowsers, baseUrl, fetch, ...options });

test('a generation that fails is the same error, with its reason, however it is awaited', async () => {
  const { mock, client } = setUp({ maxRetries: 1 });
  const request = { prompt: '[[fail: out of ink]]' };
  const ways = {
    generate: () => client.content.generate(request),
    stream: () => client.content.stream(request).final(),
    wait: async () => {
      const job = await client.content.start({ ...request, webhookUrl: callbackUrl });
      await mock.settle();
      return job.wait();
    },
  };
  for (const run of Object.values(ways)) {
    const error = await run().catch((error) => error);
    expect(error).toBeInstanceOf(GenerationFailedError);
    expect(error).toMatchObject({
      code: 'generation_failed',
      generation: {
        requestId: expect.stringMatching(/^gen_/),
        status: 'failed',
        error: { code: 'generation_failed', message: 'out of ink' },
      },
    });
    expect(error.message).toMatch(/\. The service says: out of ink$/);
    expect(JSON.stringify(error)).not.toContain('ink');
  }
  expect((await client.usage.get()).requests).toBe(0);
});

test.each([
  [{ max_tokens: 5 }, "Did you mean 'maxTokens'?"],
  [{ nonsense: 1 }, 'Remove it.'],
])('the error for the unknown field of %j says: %s', async (field, advice) => {
  const { client } = setUp();
  const call = client.content.generate({ prompt, ...field } as never);
  await expect(call).rejects.toThrow(`This field does not exist. ${advice}`);
});

describe('against the reference server', () => {
  test.each(['', '/v2'])(
    'keys, webhooks and generations work with the prefix "%s"',
    async (prefix) => {
      const { mock, client: root } = setUp();
      const client = clientOf(mock, { baseUrl: mock.baseUrl + prefix, apiKey: mock.adminKey });
      const created = await client.apiKeys.create({ name: 'ci', role: 'member' });
      const member = clientOf(mock, { apiKey: created.key });
      expect((await member.content.generate({ prompt })).usage.totalTokens).toBeGreaterThan(0);
      await expect(member.apiKeys.list()).rejects.toMatchObject({ name: 'PermissionDeniedError' });
      const next = await client.apiKeys.regenerate(created.id);
      await expect(member.usage.get()).rejects.toMatchObject({ code: 'revoked_api_key' });
      expect((await client.apiKeys.revoke(next.id)).status).toBe('revoked');
      const hook = await client.webhooks.create({
        event: 'usage_threshold',
        url: callbackUrl,
        threshold: 0.5,
      });
      expect(hook.secret).toMatch(/^whsec_/);
      expect((await client.webhooks.update(hook.id, { description: 'd' })).description).toBe('d');
      expect((await client.webhooks.rotateSecret(hook.id)).secret).not.toBe(hook.secret);
      expect((await client.webhooks.test(hook.id)).status).toBe('pending');
      expect((await client.webhooks.listDeliveries(hook.id)).data).toHaveLength(1);
      expect(await client.webhooks.delete(hook.id)).toBeUndefined();
      await expect(client.webhooks.get(hook.id)).rejects.toMatchObject({ name: 'NotFoundError' });
      expect((await client.webhooks.getSigningSecret()).secret).toBe(mock.signingSecret);
      expect((await client.webhooks.rotateSigningSecret()).previousExpiresAt).toBeDefined();
      expect((await root.usage.get()).requests).toBe(1);
    },
  );

  test('a job settles with the callback that a webhook handler receives', async () => {
    const { mock, client } = setUp();
    const receiver = createWebhookHandler({
      secret: mock.signingSecret,
      now: mock.clock.now,
      on: {},
    });
    mock.receivers.set(callbackUrl, receiver);
    mock.faults.add({ operation: 'getGeneration', effect: { stall: true } });
    const job = await client.content.generate({ prompt, webhookUrl: callbackUrl });
    const waiting = job.wait({ results: receiver });
    await mock.settle();
    expect(await waiting).toMatchObject({
      requestId: job.requestId,
      status: 'completed',
      result: expect.any(String),
    });
  });

  test('a job settles by polling when the callback is lost', async () => {
    const { mock, client } = setUp();
    const job = await client.content.generate({ prompt, webhookUrl: callbackUrl });
    await mock.clock.advance('1 second');
    expect((await job.wait()).usage.totalTokens).toBeGreaterThan(0);
    await expect(job.cancel()).rejects.toMatchObject({
      name: 'ConflictError',
      code: 'invalid_state',
    });
  });

  test('a stream yields the text of a generation with the same seed', async () => {
    const { client } = setUp();
    const { result } = await client.content.generate({ prompt, seed: 7 });
    let text = '';
    const stream = client.content.stream({ prompt, seed: 7 });
    for await (const delta of stream) text += delta;
    expect(text).toBe(result);
    expect((await stream.final()).result).toBe(result);
  });

  test.each([
    ['a 503', { status: 503 }],
    ['a dropped connection', { drop: true }],
    ['a truncated response', { truncate: 10 }],
  ] as const)('a generation survives %s and is billed once', async (_, effect) => {
    const { mock, client } = setUp();
    mock.faults.add({ operation: 'generateContent', times: 1, effect });
    const { attempts } = await client.content.generate({ prompt }).withResponse();
    expect(attempts).toBe(2);
    expect((await client.usage.get()).requests).toBe(1);
  });

  test('repeating an idempotency key replays the response', async () => {
    const { client } = setUp();
    const options = { idempotencyKey: 'order-42' };
    const first = await client.content.generate({ prompt }, options).withResponse();
    const again = await client.content.generate({ prompt }, options).withResponse();
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again.data).toEqual(first.data);
    await expect(client.content.generate({ prompt: 'other' }, options)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  test('client and mock take the same deployment', async () => {
    const deployment = defineDeployment({
      paths: { createApiKey: '/api-keys/generate' },
      webhookUrlField: 'callback_url',
      accessTokenHeader: 'X-Access-Token',
    });
    const mock = createMockServer({ clock: 'manual', seed: 1, deployment });
    const admin = clientOf(mock, { apiKey: mock.adminKey, deployment });
    expect((await admin.apiKeys.create()).key).toMatch(/^cg_test_/);
    const job = await admin.content.generate({ prompt, webhookUrl: callbackUrl });
    expect(job.requestId).toMatch(/^gen_/);
    const accessToken = () => mock.issueToken({ role: 'member' });
    const user = clientOf(mock, { accessToken, deployment });
    expect((await user.content.get(job.requestId)).requestId).toBe(job.requestId);
  });
});
