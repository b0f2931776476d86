import { describe, expect, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { good, make, sent, withoutEnvironment } from './support/options.ts';
import { clientOf, problem, scriptedService } from './support/service.ts';

withoutEnvironment();

describe('the credential', () => {
  test('an API key goes into X-API-Key, a token into Authorization', async () => {
    expect(await sent(good)).toMatchObject({ 'x-api-key': 'cg_test_key' });
    expect(await sent(good)).not.toHaveProperty('authorization');
    const options = { baseUrl: good.baseUrl, accessToken: 'jwt' };
    const token = await sent(options);
    expect(token).toMatchObject({ authorization: 'Bearer jwt' });
    expect(token).not.toHaveProperty('x-api-key');
    const deployment = defineDeployment({ accessTokenHeader: 'X-Access-Token' });
    const other = await sent({ ...options, deployment });
    expect(other).toMatchObject({ 'x-access-token': 'jwt' });
    expect(other).not.toHaveProperty('authorization');
  });

  test('a function is called before each attempt', async () => {
    const service = scriptedService();
    service.script({ status: 503 }, { json: { used: 0 } });
    const apiKey = vi.fn().mockResolvedValueOnce('cg_test_1').mockResolvedValueOnce('cg_test_2');
    await clientOf(service, { apiKey, backoff: { initial: 0 } }).client.usage.get();
    const keys = service.seen.map(({ headers }) => headers['x-api-key']);
    expect(keys).toEqual(['cg_test_1', 'cg_test_2']);
  });

  test('after expired_token a function is asked once for a fresh one; a string is not sent again', async () => {
    const service = scriptedService();
    service.script(problem(401, 'expired_token'));
    const states: object[] = [];
    const ask = (state: { expired: boolean }) => {
      states.push(state);
      return state.expired ? 'fresh' : 'old';
    };
    for (const accessToken of [ask, 'fixed']) {
      const { client } = clientOf(service, { apiKey: undefined, accessToken, maxRetries: 0 });
      await expect(client.usage.get()).rejects.toMatchObject({ code: 'expired_token' });
    }
    const sent = service.seen.map(({ headers }) => headers['authorization']);
    expect(sent).toEqual(['Bearer old', 'Bearer fresh', 'Bearer fixed']);
    expect(states).toEqual([
      { expired: false, rejected: undefined },
      { expired: true, rejected: 'old' },
    ]);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('vault is sealed'))],
    ['returns nothing', () => undefined as never],
  ])('a function that %s causes a typed error and sends nothing', async (_, apiKey) => {
    const service = scriptedService();
    const { client } = clientOf(service, { apiKey });
    await expect(client.usage.get()).rejects.toMatchObject({
      name: 'ContentGenError',
      code: 'credential_unavailable',
    });
    expect(service.seen).toHaveLength(0);
  });

  test('a function that never resolves runs into the timeout', async () => {
    const options = { apiKey: () => new Promise<never>(() => {}), maxRetries: 0 };
    const call = clientOf(scriptedService(), options).client.usage.get({ timeout: 5 });
    await expect(call).rejects.toMatchObject({ code: 'attempt_timeout' });
  });

  test('passing both is an error at once, passing neither is the error of each call', async () => {
    expect(() => make({ ...good, accessToken: 'jwt' })).toThrow(
      'Pass apiKey or accessToken, not both',
    );
    await expect(sent({ baseUrl: good.baseUrl })).rejects.toThrow(
      'Pass apiKey or accessToken, or set CONTENTGEN_API_KEY',
    );
    const client = make({ apiKey: 'cg_test_key' });
    for (const call of [
      () => client.usage.get(),
      () => client.content.stream({ prompt: 'p' }).final(),
      () => client.content.list().toArray(),
      () => client.content.resume('gen_1').wait(),
      () => client.http.GET('/api/usage'),
    ])
      await expect(call()).rejects.toThrow('Pass baseUrl, or set CONTENTGEN_BASE_URL');
  });
});

describe('the environment', () => {
  test('provides the key and base URL if the options do not', async () => {
    vi.stubEnv('CONTENTGEN_API_KEY', 'cg_test_env');
    vi.stubEnv('CONTENTGEN_BASE_URL', 'https://env.example/v2');
    expect(await sent({})).toMatchObject({ 'x-api-key': 'cg_test_env', url: '/v2/api/usage' });
    expect(await sent({ apiKey: 'cg_test_key' })).toMatchObject({ 'x-api-key': 'cg_test_key' });
  });

  test('a credential in the options overrides both environment variables', async () => {
    vi.stubEnv('CONTENTGEN_API_KEY', 'cg_test_env');
    vi.stubEnv('CONTENTGEN_ACCESS_TOKEN', 'jwt_env');
    expect(await sent({ baseUrl: good.baseUrl, accessToken: 'jwt' })).not.toHaveProperty(
      'x-api-key',
    );
    expect(await sent(good)).not.toHaveProperty('authorization');
    await expect(sent({ baseUrl: good.baseUrl })).rejects.toThrow(
      'Pass apiKey or accessToken, not both',
    );
  });

  test('is read at the first call, so that a client can be created without it', async () => {
    const service = scriptedService();
    service.script({ json: { used: 0 } });
    const client = make({ fetch: service.fetch });
    const copy = client.withOptions({ maxRetries: 0 });
    await expect(client.usage.get()).rejects.toThrow('No base URL');
    vi.stubEnv('CONTENTGEN_BASE_URL', 'https://env.example');
    vi.stubEnv('CONTENTGEN_API_KEY', 'cg_test_env');
    await client.usage.get();
    await copy.usage.get();
    await client.http.GET('/api/usage');
    vi.stubEnv('CONTENTGEN_API_KEY', 'cg_test_later');
    await client.usage.get();
    await client.withOptions({ timeout: 1000 }).usage.get();
    expect(service.seen.map(({ headers }) => headers['x-api-key'])).toEqual(
      Array.from({ length: 5 }, () => 'cg_test_env'),
    );
  });

  test('an empty variable counts as unset, but an empty key in the options is not replaced', async () => {
    vi.stubEnv('CONTENTGEN_API_KEY', '');
    await expect(sent({ baseUrl: good.baseUrl })).rejects.toThrow(
      'Pass apiKey or accessToken, or set CONTENTGEN_API_KEY',
    );
    vi.stubEnv('CONTENTGEN_API_KEY', 'cg_test_env');
    expect(() => make({ baseUrl: good.baseUrl, apiKey: '' })).toThrow('apiKey is empty');
  });

  test('an unreadable environment counts as unset', () => {
    const get = () => {
      throw new Error('denied');
    };
    const denied = new Proxy({}, { get });
    vi.stubGlobal('process', { ...process, env: denied });
    expect(() => make(good)).not.toThrow();
  });
});

describe('the headers', () => {
  test("an idempotency key in the client's headers is ignored: it would turn all calls into one", async () => {
    const service = scriptedService();
    service.script({ json: { id: 'x', key: 'cg_test_new' } });
    const { client } = clientOf(service, { headers: { 'Idempotency-Key': 'always' } });
    await client.apiKeys.create();
    await client.http.POST('/api/auth/api-keys', { body: {} });
    const keys = service.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).not.toContain('always');
    expect(new Set(keys).size).toBe(2);
  });

  test("a call's headers override the client's", async () => {
    const headers = await sent(
      { ...good, headers: { 'X-A': '1', 'X-B': '1' } },
      { headers: { 'x-b': '2', 'x-c': undefined } },
    );
    expect(headers).toMatchObject({ 'x-a': '1', 'x-b': '2', 'x-api-key': 'cg_test_key' });
    expect(headers).not.toHaveProperty('x-c');
  });
});

describe('a credential in the headers', () => {
  const names = ['X-API-Key', 'authorization', 'X-Access-Token'];
  const token = {
    ...good,
    apiKey: undefined,
    accessToken: 'jwt',
    deployment: defineDeployment({ accessTokenHeader: 'X-Access-Token' }),
  };

  test.each(names)('%s is rejected in the headers of a client', (name) => {
    expect(() => make({ ...token, headers: { [name]: 'secret' } })).toThrow(TypeError);
    expect(() => make({ ...token, headers: { [name]: 'secret' } })).not.toThrow('secret');
    expect(() => make({ ...token, headers: { [name]: undefined } })).not.toThrow();
  });

  test.each(names)(
    '%s is rejected in the headers of a call, before anything is sent',
    async (name) => {
      const service = scriptedService();
      service.script({ json: { used: 0 } });
      const { client } = clientOf(service, { ...token, accessToken: 'jwt' } as never);
      const headers = { [name]: 'secret' };
      await expect(client.usage.get({ headers })).rejects.toThrow(/withOptions/);
      await expect(client.http.GET('/api/usage', { headers })).rejects.toThrow(TypeError);
      expect(service.seen).toHaveLength(0);
    },
  );
});
