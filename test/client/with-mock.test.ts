import { ContentGen, isApiError } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { inBrowsers } from './support/in-browsers.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const callbackUrl = 'https://app.example/callbacks';
const prompt = 'A haiku about TCP';

function setUp(options: object = {}) {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const { baseUrl, fetch } = mock;
  const client = new ContentGen({
    ...inBrowsers,
    baseUrl,
    apiKey: mock.adminKey,
    fetch,
    logLevel: 'off',
    ...options,
  });
  return { mock, client };
}

test("a client that lacks its mock's fetch is told to pass it", async () => {
  const cause = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
  const { client } = setUp({ fetch: () => Promise.reject(cause), maxRetries: 0 });
  await expect(client.usage.get()).rejects.toThrow(
    'could not be resolved (ENOTFOUND). Only a mock has this name: pass fetch: mock.fetch.',
  );
});

describe('against the reference server', () => {
  test.each(['', '/v2'])(
    'keys, webhooks and generations work with the prefix "%s"',
    async (prefix) => {
      const { mock, client: root } = setUp();
      const client = new ContentGen({
        ...inBrowsers,
        baseUrl: mock.baseUrl + prefix,
        apiKey: mock.adminKey,
        fetch: mock.fetch,
      });
      const created = await client.apiKeys.create({ name: 'ci', role: 'member' });
      const member = new ContentGen({
        ...inBrowsers,
        baseUrl: mock.baseUrl,
        apiKey: created.key,
        fetch: mock.fetch,
      });
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

  test('a list yields the items of every page', async () => {
    const { client } = setUp();
    for (let index = 0; index < 5; index += 1)
      await client.content.generate({ prompt, seed: index });
    const ids: string[] = [];
    for await (const { requestId } of client.content.list({ limit: 2 })) ids.push(requestId);
    expect(new Set(ids).size).toBe(5);
  });

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

  test('a stalled response runs into the timeout, a malformed one is a ParseError', async () => {
    const { mock, client } = setUp({ maxRetries: 0 });
    mock.faults.add({ operation: 'getUsage', times: 1, effect: { stall: true } });
    await expect(client.usage.get({ timeout: 20 })).rejects.toMatchObject({ name: 'TimeoutError' });
    mock.faults.add({ operation: 'getUsage', times: 1, effect: { malformed: true } });
    await expect(client.usage.get()).rejects.toMatchObject({ name: 'ParseError' });
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

  test('an invalid request names its field, an exceeded quota its reset', async () => {
    const mock = createMockServer({ clock: 'manual', seed: 1, quota: 1 });
    const client = new ContentGen({
      ...inBrowsers,
      baseUrl: mock.baseUrl,
      apiKey: mock.adminKey,
      fetch: mock.fetch,
    });
    const error = await client.content
      .generate({ prompt, maxTokens: 0 })
      .catch((thrown: unknown) => thrown);
    if (!isApiError(error, 'generateContent', 422)) throw error;
    expect(error.errors[0]?.pointer).toBe('/maxTokens');
    await client.content.generate({ prompt });
    await expect(client.content.generate({ prompt })).rejects.toMatchObject({
      name: 'QuotaExceededError',
      resetsAt: new Date('2026-02-01T00:00:00.000Z'),
    });
  });

  test('an access token works', async () => {
    const { mock } = setUp();
    const client = new ContentGen({
      ...inBrowsers,
      baseUrl: mock.baseUrl,
      accessToken: () => mock.issueToken({ role: 'member' }),
      fetch: mock.fetch,
    });
    expect((await client.usage.get()).organization).toBe(mock.organization);
  });

  test('client and mock accept the same options for a customized deployment', async () => {
    const shape = {
      paths: { createApiKey: '/api-keys/generate' },
      webhookUrlField: 'callback_url',
      accessTokenHeader: 'X-Access-Token',
    } as const;
    const mock = createMockServer({ clock: 'manual', seed: 1, ...shape });
    const { baseUrl, fetch } = mock;
    const admin = new ContentGen({
      ...inBrowsers,
      baseUrl,
      apiKey: mock.adminKey,
      fetch,
      ...shape,
    });
    expect((await admin.apiKeys.create()).key).toMatch(/^cg_test_/);
    const job = await admin.content.generate({ prompt, webhookUrl: callbackUrl });
    expect(job.requestId).toMatch(/^gen_/);
    const user = new ContentGen({
      ...inBrowsers,
      baseUrl,
      accessToken: () => mock.issueToken({ role: 'member' }),
      fetch,
      ...shape,
    });
    expect((await user.content.get(job.requestId)).requestId).toBe(job.requestId);
  });
});
