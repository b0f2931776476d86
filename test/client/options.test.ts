import { describe, expect, test } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { good, make, withoutEnvironment } from './support/options.ts';
import { clientOf, scriptedService } from './support/service.ts';

withoutEnvironment();

describe('options', () => {
  const times = [0, -1, Number.NaN, Number.NEGATIVE_INFINITY, '1000', null, true];
  const invalid: Record<string, unknown[]> = {
    timeout: times,
    deadline: times,
    idleTimeout: times,
    backoff: [null, 0, [0, 1], { min: 1 }, { initial: -1 }, { max: Number.NaN }, { max: Infinity }],
    maxRetries: [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '2', null],
    maxResponseBytes: [0, -1, 1.5, Number.NaN, '1', null],
    baseUrl: [
      '',
      null,
      7,
      'ftp://a.example',
      'api.example.com',
      'https://u:p@a.example',
      'https://a.example?x=1',
      'https://a.example#x',
      'https://a%',
    ],
    apiKey: ['', null, 7, 'a b', 'a\nb', 'é'],
    fetch: [null, 'fetch'],
    headers: [null, [['a', 'b']], new Headers(), { 'a b': 'c' }, { a: 'b\r\nc: d' }, { a: 1 }],
    middleware: [{}, [null]],
    logger: [{}, { debug() {}, info() {}, warn() {} }],
    logLevel: ['loud', ''],
    logBodies: [0],
    onRetry: [1],
    dangerouslyAllowBrowser: ['false'],
  };
  test.each(
    Object.entries(invalid).flatMap(([name, values]) =>
      values.map((value) => [name, value] as const),
    ),
  )('%s: %j is rejected with its name in the message', (name, value) => {
    const create = () => make({ ...good, [name]: value });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(name);
  });

  test.each([
    ['constructor', 'Unknown option constructor'],
    ['maxRetry', "Unknown option maxRetry. Did you mean 'maxRetries'?"],
    ['baseURL', "Did you mean 'baseUrl'?"],
    ['token', "Did you mean 'accessToken'?"],
  ])('the unknown option %s is rejected: %s', (name, words) => {
    expect(() => make({ ...good, [name]: 1 })).toThrow(words);
  });

  test.each([null, 'x', 7, [], () => {}])('%j is rejected as an options object', (options) => {
    expect(() => make(options as never)).toThrow(TypeError);
  });

  test('undefined means the default for every option', () => {
    const others = ['accessToken', 'deployment'];
    const names = [...Object.keys(invalid), ...others].filter((name) => !(name in good));
    const unset = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(() => make({ ...good, ...unset })).not.toThrow();
  });

  test('a deployment is what defineDeployment() returns, of any copy of the package', () => {
    for (const deployment of [{}, { wrap: 'data' }, 'file', null])
      expect(() => make({ ...good, deployment: deployment as never })).toThrow(
        /deployment must be what defineDeployment\(\) of contentgen\/deployment returns/,
      );
    const ofAnotherCopy = { ...defineDeployment({}), [Symbol.for('contentgen.deployment')]: true };
    expect(() => make({ ...good, deployment: ofAnotherCopy })).not.toThrow();
  });

  test('frozen options work, and later changes to the input have no effect', async () => {
    const headers: Record<string, string> = { 'X-Team': 'a' };
    const service = scriptedService();
    service.script({ json: { used: 0 } });
    const client = make(Object.freeze({ ...good, fetch: service.fetch, headers }));
    headers['X-Team'] = 'b';
    await client.usage.get();
    expect(service.seen[0]?.headers).toMatchObject({ 'x-team': 'a' });
  });

  test.each([
    [{ baseUrl: 'localhost:4010' }, /'localhost:4010'\. Did you mean 'http:\/\/localhost:4010'\?/],
    [{ baseUrl: 'https://u:secret@a.example?key=secret' }, /received 'https:\/\/a\.example'\.$/],
    [{ baseUrl: 'cg_live_secret' }, /received a string\.$/],
    [{ baseUrl: '"https://api.example.com"' }, /^baseUrl is in quotes\. Remove them\.$/],
    [{ logLevel: 'verbose' }, /one of debug, info, warn, error, off; received 'verbose'\.$/],
    [{ logLevel: 'cg_live_secret' }, /received a string\.$/],
    [{ apiKey: 'cg_live_secret\n' }, /^apiKey/],
    [
      { apiKey: 'cg_live_secret', accessToken: 'cg_live_secret' },
      /^Two credentials\. Pass apiKey or accessToken, not both\.$/,
    ],
  ])('the error of %j shows the value, unless it can be secret', (options, said) => {
    const create = () => make({ ...good, ...options });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(said);
    expect(create).not.toThrow(/secret/);
  });

  test.each([
    { timeout: 0 },
    { idempotencyKey: '' },
    { idempotencyKey: 'x'.repeat(256) },
    { signal: {} },
    { headers: { 'a b': 'c' } },
    null,
    'x',
  ])('the call options %j are rejected before anything is sent', async (options) => {
    const service = scriptedService();
    const { client } = clientOf(service);
    await expect(client.content.generate({ prompt: 'p' }, options as never)).rejects.toThrow(
      TypeError,
    );
    expect(service.seen).toHaveLength(0);
  });

  test.each(['', '.', '..', undefined, null, 7, {}, ['a'], '\ud800'])(
    'the id %j is rejected before anything is sent',
    async (id) => {
      const service = scriptedService();
      const { client } = clientOf(service);
      for (const call of [
        client.apiKeys.get(id as never),
        client.apiKeys.revoke(id as never),
        client.webhooks.delete(id as never),
        client.webhooks.listDeliveries(id as never),
        client.content.cancel(id as never),
        client.http.GET('/api/webhooks/{id}', { params: { path: { id: id as string } } }),
        client.http.GET('/api/webhooks/{id}', {} as never),
      ]) {
        await expect(call).rejects.toThrow(TypeError);
      }
      expect(service.seen).toHaveLength(0);
    },
  );
});
