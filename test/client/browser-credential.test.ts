import { beforeEach, describe, expect, test, vi } from 'vitest';
import { good, make, withoutEnvironment } from './support/options.ts';
import { clientOf, scriptedService } from './support/service.ts';

withoutEnvironment();

describe('in a browser', () => {
  beforeEach(() => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
  });

  test('an API key is rejected, even one from the environment', async () => {
    expect(() => make(good)).toThrow('dangerouslyAllowBrowser');
    expect(() => make({ ...good, dangerouslyAllowBrowser: false })).toThrow(
      'dangerouslyAllowBrowser',
    );
    vi.stubEnv('CONTENTGEN_API_KEY', 'cg_test_env');
    await expect(make({ baseUrl: good.baseUrl }).usage.get()).rejects.toThrow(
      'dangerouslyAllowBrowser',
    );
    expect(() => make({ ...good, dangerouslyAllowBrowser: true })).not.toThrow();
  });

  test.each([
    'http://localhost:4010',
    'http://app.localhost/v2',
    'http://127.0.0.1:3000',
    'http://[::1]:3000/',
    'https://api.contentgen.test',
  ])('an API key is accepted for %s', (baseUrl) => {
    expect(() => make({ baseUrl, apiKey: 'cg_test_key' })).not.toThrow();
  });

  test.each([
    'http://localhost.example',
    'http://127.0.0.1.example',
    'https://test',
    'https://api.test.example',
    'https://example/localhost',
    'https://attest',
  ])('an API key is rejected for %s', (baseUrl) => {
    expect(() => make({ baseUrl, apiKey: 'cg_test_key' })).toThrow('dangerouslyAllowBrowser');
  });

  test('an access token is allowed', () => {
    expect(() => make({ baseUrl: good.baseUrl, accessToken: 'jwt' })).not.toThrow();
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
    expect(Object.keys(service.seen[0]?.headers ?? {}).sort()).toEqual(['accept', 'x-api-key']);
    expect(Object.keys(service.seen[1]?.headers ?? {}).sort()).toEqual([
      'accept',
      'content-type',
      'idempotency-key',
      'x-api-key',
    ]);
  });
});
