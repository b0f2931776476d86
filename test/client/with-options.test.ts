import type { ClientOptions } from 'contentgen';
import * as contentgen from 'contentgen';
import { describe, expect, test } from 'vitest';
import { withoutEnvironment } from './support/options.ts';
import { clientOf, problem, scriptedService } from './support/service.ts';

withoutEnvironment();

describe('withOptions', () => {
  const setUp = (options = {}) => {
    const service = scriptedService();
    service.script({ json: { used: 0 } });
    return { service, ...clientOf(service, options) };
  };

  test('replaces the credential and keeps the transport and every other option', async () => {
    const { service, client } = setUp({ headers: { 'x-team': 'a' }, maxRetries: 0 });
    const tenant = client.withOptions({ apiKey: 'cg_test_tenant' });
    await tenant.usage.get();
    await tenant.http.GET('/api/usage');
    await client.usage.get();
    const keys = service.seen.map(({ headers }) => headers['x-api-key']);
    expect(keys).toEqual(['cg_test_tenant', 'cg_test_tenant', 'cg_test_key']);
    expect(service.seen[0]?.headers).toMatchObject({ 'x-team': 'a' });
    service.script(problem(503, 'unavailable'));
    await expect(tenant.usage.get()).rejects.toMatchObject({ attempts: { length: 1 } });
  });

  test('keeps the class of a subclass and its options', async () => {
    class Tenant extends contentgen.ContentGen {
      constructor(options: ClientOptions) {
        super({ ...options, headers: { 'x-team': 'b' } });
      }
    }
    const { service } = setUp();
    const { baseUrl, fetch } = service;
    const copy = new Tenant({ baseUrl, fetch, apiKey: 'cg_test_key' }).withOptions({ timeout: 9 });
    expect(copy).toBeInstanceOf(Tenant);
    await copy.usage.get();
    expect(service.seen[0]?.headers).toMatchObject({ 'x-team': 'b' });
  });

  test('an access token replaces the API key, and the other way round', async () => {
    const { service, client } = setUp();
    const user = client.withOptions({ accessToken: () => 'jwt' });
    await user.usage.get();
    await user.withOptions({ apiKey: 'cg_test_other' }).usage.get();
    await user.withOptions({ timeout: 1000 }).usage.get();
    expect(
      service.seen.map(({ headers }) => [headers['x-api-key'], headers['authorization']]),
    ).toEqual([
      [undefined, 'Bearer jwt'],
      ['cg_test_other', undefined],
      [undefined, 'Bearer jwt'],
    ]);
  });

  test.each([{ apiKey: '' }, { apiKeys: 'x' }, { apiKey: 'a', accessToken: 'b' }, null])(
    '%j is rejected',
    (options) => {
      const { client } = setUp();
      expect(() => client.withOptions(options as never)).toThrow(TypeError);
      expect(() => client.withOptions({})).not.toThrow();
    },
  );
});
