import { beforeEach, describe, expect, test, vi } from 'vitest';
import { good, make, withoutEnvironment } from './support/options.ts';
import { clientOf, scriptedService } from './support/service.ts';

withoutEnvironment();

describe('in a browser', () => {
  beforeEach(() => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
  });

  test('an API key is rejected, even one from the environment, and an access token is allowed', async () => {
    const rejected = 'dangerouslyAllowBrowser';
    expect(() => make({ ...good, dangerouslyAllowBrowser: false })).toThrow(rejected);
    vi.stubEnv('CONTENTGEN_API_KEY', 'cg_test_env');
    await expect(make({ baseUrl: good.baseUrl }).usage.get()).rejects.toThrow(rejected);
    expect(() => make({ ...good, dangerouslyAllowBrowser: true })).not.toThrow();
    expect(() => make({ baseUrl: good.baseUrl, accessToken: 'jwt' })).not.toThrow();
  });

  test.each([
    ['http://localhost:4010', true],
    ['http://app.localhost/v2', true],
    ['http://127.0.0.1:3000', true],
    ['http://[::1]:3000/', true],
    ['https://api.contentgen.test', true],
    ['http://localhost.example', false],
    ['http://127.0.0.1.example', false],
    ['https://test', false],
    ['https://api.test.example', false],
    ['https://example/localhost', false],
    ['https://attest', false],
  ])('is an API key accepted for %s? %s', (baseUrl, isAccepted) => {
    const create = () => make({ ...good, baseUrl });
    if (isAccepted) expect(create).not.toThrow();
    else expect(create).toThrow('dangerouslyAllowBrowser');
  });

  test('a worker counts as a browser; a server with some browser globals does not', () => {
    vi.stubGlobal('window', undefined);
    vi.stubGlobal('document', undefined);
    expect(() => make(good)).not.toThrow();
    vi.stubGlobal('importScripts', () => {});
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' });
    expect(() => make(good)).toThrow('dangerouslyAllowBrowser');
    vi.stubGlobal('navigator', { userAgent: 'Deno/2.9' });
    expect(() => make(good)).not.toThrow();
  });

  test('only the credential, idempotency key and JSON headers cause a preflight', async () => {
    const service = scriptedService();
    const { client } = clientOf(service, { dangerouslyAllowBrowser: true });
    service.script({ json: { key: 'cg_test_new', used: 0 } });
    await client.usage.get();
    await client.apiKeys.create({ name: 'x' });
    expect(service.seen.map(({ headers }) => Object.keys(headers).sort())).toEqual([
      ['accept', 'x-api-key'],
      ['accept', 'content-type', 'idempotency-key', 'x-api-key'],
    ]);
  });
});
