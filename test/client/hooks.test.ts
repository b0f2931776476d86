import type { CallContext, ClientOptions, Middleware } from 'contentgen';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { clientOf, completed, problem, recorded, useService } from './support/service.ts';

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

describe('middleware', () => {
  const service = useService();

  test('that forgets to return the response is told so', async () => {
    service.script({ json: completed });
    const forgetful = async (request: Request, next: (request: Request) => Promise<Response>) => {
      await next(request);
    };
    const { client } = clientOf(service, { middleware: [forgetful as unknown as Middleware] });
    await expect(client.usage.get()).rejects.toThrow(
      /^middleware\[0\] \(forgetful\) must return a Response/,
    );
  });

  test('wraps each attempt and knows the call', async () => {
    service.script(problem(503, 'unavailable'), { json: completed });
    const contexts: CallContext[] = [];
    const statuses: number[] = [];
    const calls = new Set<object>();
    const { client } = clientOf(service, {
      middleware: [
        async (request, next, context) => {
          const { call, ...facts } = context;
          contexts.push(facts);
          calls.add(call);
          request.headers.set('x-trace', `t${context.attempt}`);
          const response = await next(request);
          statuses.push(response.status);
          return response;
        },
      ],
    });
    const { data, idempotencyKey } = await client.content.generate({ prompt: 'p' }).withResponse();
    expect(data.result).toBe('a haiku');
    expect(statuses).toEqual([503, 200]);
    expect(contexts).toEqual([
      { operation: 'generateContent', attempt: 1, idempotencyKey },
      { operation: 'generateContent', attempt: 2, idempotencyKey },
    ]);
    expect([...calls]).toEqual([
      {
        operation: 'generateContent',
        method: 'POST',
        url: expect.stringMatching(/\/api\/ai\/content\/generate$/),
        idempotencyKey,
        isKeyGenerated: true,
        body: '{"prompt":"p"}',
        fields: { webhookUrl: 'webhookUrl', metadata: 'metadata' },
      },
    ]);
    expect(service.seen.map(({ headers }) => headers['x-trace'])).toEqual(['t1', 't2']);
    expect(service.seen.map(({ body }) => body)).toEqual(['{"prompt":"p"}', '{"prompt":"p"}']);
  });

  test('runs from the first to the last function and back', async () => {
    service.script({ json: { used: 0 } });
    const order: string[] = [];
    const layer =
      (name: string): Middleware =>
      async (request, next) => {
        order.push(`${name} in`);
        return next(request).finally(() => order.push(`${name} out`));
      };
    await clientOf(service, { middleware: [layer('a'), layer('b')] }).client.usage.get();
    expect(order).toEqual(['a in', 'b in', 'b out', 'a out']);
  });
});

describe('a middleware', () => {
  const service = useService();

  test('can respond itself', async () => {
    const { client } = clientOf(service, { middleware: [async () => Response.json({ used: 9 })] });
    expect((await client.usage.get()).used).toBe(9);
    expect(service.seen).toHaveLength(0);
  });

  test('that throws ends the call with its error, without a retry', async () => {
    const mine = new RangeError('mine');
    const layer = vi.fn(() => Promise.reject(mine));
    await expect(clientOf(service, { middleware: [layer] }).client.usage.get()).rejects.toBe(mine);
    expect(layer).toHaveBeenCalledTimes(1);
  });

  test('receives a lost connection as a ConnectionError, which is retried if it is passed on', async () => {
    service.script({ fault: 'disconnect' }, { json: { used: 0 } });
    const seen: unknown[] = [];
    const layer: Middleware = (request, next) =>
      next(request).catch((error) => {
        seen.push(error);
        throw error;
      });
    await clientOf(service, { middleware: [layer] }).client.usage.get();
    expect(seen).toMatchObject([{ name: 'ConnectionError', code: 'connection_failed' }]);
  });
});

describe('the log', () => {
  const service = useService();
  const { lines, logger } = recorded();
  beforeEach(() => {
    lines.length = 0;
  });
  const run = async (options: object) => {
    service.script(problem(503, 'unavailable'), { json: { ...completed, key: 'cg_test_new' } });
    const { client } = clientOf(service, { logger, ...options });
    await client.content.generate(
      { prompt: 'a secret prompt' },
      { headers: { 'x-private': 'hush' } },
    );
  };

  test.each([
    ['debug', ['debug', 'info', 'debug']],
    ['info', ['info']],
    ['warn', []],
    ['off', []],
  ])('at level %s writes %j', async (logLevel, levels) => {
    await run({ logLevel });
    expect(lines.map(({ level }) => level)).toEqual(levels);
  });

  test('contains no key, prompt, header or body at any level', async () => {
    await run({ logLevel: 'debug' });
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(lines)).not.toMatch(/cg_test|secret prompt|hush|haiku|free text/);
    expect(lines[0]?.facts).toMatchObject({
      operation: 'generateContent',
      attempt: 1,
      status: 503,
      code: 'unavailable',
    });
  });

  test('contains bodies, but no credential, with logBodies', async () => {
    await run({ logLevel: 'debug', logBodies: true });
    expect(JSON.stringify(lines)).toMatch(/a secret prompt.*a haiku/);
    expect(JSON.stringify(lines)).not.toMatch(/cg_test_key|hush/);
  });

  test('takes its level from CONTENTGEN_LOG', async () => {
    vi.stubEnv('CONTENTGEN_LOG', 'INFO');
    await run({ logLevel: undefined });
    expect(lines).toHaveLength(0);
    vi.stubEnv('CONTENTGEN_LOG', 'info');
    await run({ logLevel: undefined });
    expect(lines).toHaveLength(1);
  });

  test('goes to the console by default', async () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => {});
    await run({ logger: undefined, logLevel: 'info' });
    expect(info).toHaveBeenCalledTimes(1);
    expect(info.mock.calls[0]?.[0]).toMatch(/^contentgen: retrying generateContent in 0 ms/);
  });

  test('warns about a deprecated operation once, with its sunset date', async () => {
    const deprecated = {
      json: { used: 0, id: 'key_1' },
      headers: { deprecation: '@1767225600', sunset: 'Thu, 01 Jan 2027 00:00:00 GMT' },
    };
    service.script(deprecated);
    const { client } = clientOf(service, { logger, logLevel: 'warn' });
    await client.usage.get();
    await client.usage.get();
    await client.apiKeys.revoke('key_1');
    await client.withOptions({ apiKey: 'cg_test_other' }).usage.get();
    expect(lines).toHaveLength(2);
    expect(lines.map(({ message }) => message)).toEqual([
      'contentgen: getUsage is deprecated by the service',
      'contentgen: revokeApiKey is deprecated by the service',
    ]);
    expect(lines[0]?.facts).toMatchObject(deprecated.headers);
  });
});

describe.each([
  [
    'throws',
    () => {
      throw new Error('mine');
    },
  ],
  ['rejects', () => Promise.reject(new Error('mine'))],
])('a function of the caller that %s never fails a call:', (_, broken) => {
  const service = useService();

  test.each<[name: string, options: Partial<ClientOptions>]>([
    ['onRetry', { onRetry: broken }],
    [
      'a logger',
      { logger: { debug: broken, info: broken, warn: broken, error: broken }, logLevel: 'debug' },
    ],
  ])('%s', async (_, options) => {
    service.script(problem(503, 'unavailable'), { json: completed });
    const { client } = clientOf(service, options);
    expect(await client.content.generate({ prompt: 'p' })).toMatchObject({ result: 'a haiku' });
    expect(service.seen).toHaveLength(2);
  });

  test('onProgress', async () => {
    service.script({ json: { ...completed, status: 'processing' } }, { json: completed });
    const job = clientOf(service).client.content.resume('gen_1');
    const { result } = await job.wait({ onProgress: broken, pollInterval: { min: 1, max: 1 } });
    expect(result).toBe('a haiku');
  });
});
