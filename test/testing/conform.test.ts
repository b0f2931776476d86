import { describe, expect, test } from 'vitest';
import { createMockServer } from '../../mock-server/index.ts';
import { conformanceClauses, createConformanceReceiver } from '../../src/testing/index.ts';
import { mutants } from './conform-mutants.ts';
import { conform, differences, type Json, type World } from './conform-world.ts';
import { deviating } from './deviating.ts';
import { defineDeployment } from '../../src/deployment/index.ts';

test('the reference server passes every clause within the budget, and nothing is left', async () => {
  const report = await conform({});
  expect(differences(report)).toEqual({});
  expect(report.results).toHaveLength(38);
  expect(report.results.filter(({ verdict }) => verdict === 'not_observable')).toEqual([]);
  expect(report.left).toEqual([]);
  // Another clause sends a request only if the requests of the others do not show enough. Two of them are removals.
  expect(report.spent.requests).toBe(25);
  expect(report.spent.tokens).toBeLessThanOrEqual(1000);
  expect(report.deployment).toEqual({ conformance: expect.anything() });
});

test('the first six clauses, which doctor runs, only read without writes and generations', async () => {
  const mock = createMockServer({ clock: 'manual' });
  const { baseUrl: url, adminKey: apiKey, fetch } = mock;
  const clauses = conformanceClauses({ url, apiKey, fetch, spend: 0 });
  for (const clause of clauses.slice(0, 6)) await clause.run();
  const requests = mock.requests().map(({ method, path }) => `${method} ${path}`);
  expect(requests.sort()).toEqual([
    'GET /api/ai/content/generate?limit=1',
    'GET /api/auth/api-keys?limit=1',
    'GET /api/usage',
    'GET /api/usage',
    'GET /api/webhooks',
    'GET /api/webhooks/deliveries?limit=1',
    'GET /api/webhooks/signing-secret',
  ]);
});

test('a request of ours that the contract does not allow is a fault of the suite, and is not sent', async () => {
  const bodies: string[] = [];
  const url = `https://conform.example/${'x'.repeat(2048)}`;
  const report = await conform(
    {
      async api(request, next) {
        bodies.push(await request.clone().text());
        return next(request);
      },
    },
    { receiver: createConformanceReceiver(url) },
  );
  const faults = report.results.filter(({ verdict }) => verdict === 'harness_error');
  expect(faults.map(({ id }) => id)).toEqual([
    'registrations.manage',
    'generate.webhook-url',
    'registrations.create',
  ]);
  expect(faults[1]?.seen).toContain('generateContent: the contract does not allow its body');
  expect([report.ok, report.left]).toEqual([false, []]);
  expect(bodies.filter((body) => body.includes('xxx'))).toEqual([]);
});

describe('a server that differs', () => {
  test.each(Object.entries(deviating))('%s', async (_, { deployment, findings }) => {
    const report = await conform({ mock: { deployment: defineDeployment(deployment) } });
    expect(differences(report)).toEqual(findings);
    expect(report.results.filter(({ seen }) => /budget/.test(seen))).toEqual([]);
  });
});

test('a service whose prefix is missing in the URL is found, and not said to lack its usage', async () => {
  const api: World['api'] = async (request, next) => {
    const isThere = new URL(request.url).pathname.startsWith('/v2/');
    const response = await next(request);
    return isThere || response.status === 401 ? response : new Response(null, { status: 404 });
  };
  const report = await conform({ api });
  const baseUrl = expect.stringMatching(/\/v2$/);
  expect(differences(report)).toEqual({ 'usage.get': { baseUrl } });
});

test('a run without time limits is judged alike', async () => {
  const none = { timeoutMs: Number.POSITIVE_INFINITY, deadlineMs: Number.POSITIVE_INFINITY };
  const inNextTask: World['api'] = async (request, next) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    request.signal.throwIfAborted();
    return next(request);
  };
  expect(differences(await conform({ api: inNextTask }, none))).toEqual({});
});

test('what was known beforehand stays in the file, beside what was found', async () => {
  const byHand = { tokenHeader: 'X-Hook-Token', absent: ['redeliver'] as const };
  const { deployment } = await conform(
    { mock: { deployment: defineDeployment({ absent: ['cancelGeneration'], wrap: 'data' }) } },
    { deployment: defineDeployment({ ...byHand, fields: { key: 'apiKey' } }) },
  );
  expect(deployment).toMatchObject({
    ...{ tokenHeader: 'X-Hook-Token', wrap: 'data', fields: { key: 'apiKey' } },
    absent: ['redeliver', 'cancelGeneration'],
  });
});

describe('a server that breaks one clause', () => {
  test.each(Object.entries(mutants))('%s', async (id, world) => {
    const report = await conform(world);
    expect(Object.keys(differences(report))).toEqual([id]);
    const { verdict, source, exchange } = report.results.find((one) => one.id === id) ?? {};
    expect(verdict === 'failed').toBe(source !== 'ours');
    expect(exchange).toMatch(/^(GET|POST|DELETE) https/);
  });

  test('exists for each clause', async () => {
    const { results } = await conform({});
    expect(Object.keys(mutants).sort()).toEqual(results.map(({ id }) => id).sort());
  });
});

describe('what a run made', () => {
  const isCreation = ({ method, url }: Request) => method === 'POST' && url.endsWith('api-keys');

  test('is perhaps left when the run is stopped before its creation got a response', async () => {
    const stop = new AbortController();
    const told: (readonly string[])[] = [];
    const report = await conform(
      {
        async api(request, next) {
          const response = await next(request);
          if (!isCreation(request)) return response;
          expect(told).toHaveLength(1);
          stop.abort();
          throw stop.signal.reason;
        },
      },
      { signal: stop.signal, onLeft: (left) => told.push(left) },
    );
    const perhaps =
      /^perhaps an API key named conform-.+: no response said whether it was created$/;
    expect(report.left).toEqual([expect.stringMatching(perhaps)]);
    expect(told.at(-1)).toEqual(report.left);
    expect(differences(report)).toEqual({});
  });

  test('is removed when the run is stopped right after its creation', async () => {
    const stop = new AbortController();
    let revoked = 0;
    const { left } = await conform(
      {
        async api(request, next) {
          const response = await next(request);
          if (isCreation(request)) stop.abort();
          if (request.url.endsWith('/revoke')) revoked += 1;
          return response;
        },
      },
      { signal: stop.signal },
    );
    expect([left, revoked]).toEqual([[], 1]);
  });

  test('is not told as left when the run is stopped right after its removal', async () => {
    const stop = new AbortController();
    const report = await conform(
      {
        async api(request, next) {
          const response = await next(request);
          if (request.method === 'DELETE') stop.abort();
          return response;
        },
      },
      { signal: stop.signal, spend: 0 },
    );
    expect([stop.signal.aborted, report.left]).toEqual([true, []]);
  });

  test('is not noted when the service refuses to create it', async () => {
    const refused = async (request: Request, next: (request: Request) => Promise<Response>) =>
      isCreation(request) ? Response.json({}, { status: 403 }) : next(request);
    expect((await conform({ api: refused }, { spend: 0 })).left).toEqual([]);
  });

  test('is told even if a callback of the caller ends the run', async () => {
    let left: readonly string[] = [];
    const clauses = conform(
      {
        api: async (request, next) =>
          request.url.endsWith('/revoke') ? new Response('', { status: 500 }) : next(request),
      },
      {
        onLeft: (all) => {
          left = all;
        },
      },
      ({ id }) => {
        if (id === 'keys.shown') throw new Error('The pipe is closed.');
      },
    );
    await expect(clauses).rejects.toThrow('The pipe is closed.');
    expect(left).toEqual([expect.stringMatching(/^an API key named conform-\S+ \(key_\w+\)$/)]);
  });
});

describe('a report', () => {
  const rewriting =
    (path: RegExp, change: (body: Json) => object): NonNullable<World['api']> =>
    async (request, next) => {
      const response = await next(request);
      if (!path.test(`${request.method} ${request.url}`) || !response.ok) return response;
      return Response.json(change((await response.json()) as Json), { status: response.status });
    };

  test('has no key in what was seen, and no control characters', async () => {
    const apiKey = 'a-key-of-no-known-form';
    const headers = { location: `https://login.example/?key=${apiKey}` };
    const api = async ({ method }: Request) =>
      method === 'POST'
        ? Response.json({ code: `${apiKey}\u001b[31m` }, { status: 422 })
        : new Response(undefined, { status: 302, headers });
    const report = await conform({ api }, { apiKey });
    expect(JSON.stringify(report)).not.toContain(apiKey);
    expect(report.results.map(({ seen }) => seen).join('')).not.toMatch(/\p{Cc}/u);
  });

  test('finds the key, its id and the total among names that are like them', async () => {
    const keys: string[] = [];
    const api = rewriting(/^POST .*(api-keys|generate)$/, ({ id, key, usage, ...rest }) => {
      if (usage) {
        const { totalTokens, promptTokens } = usage as Record<string, number>;
        return { ...rest, usage: { prompt_tokens: promptTokens, total_tokens: totalTokens } };
      }
      keys.push(`${key}`);
      return { key_id: id, token_type: 'a-long-lived-token', token: key };
    });
    const report = await conform({ api });
    expect(report.deployment.fields).toMatchObject({
      'usage.totalTokens': 'usage.total_tokens',
      id: 'key_id',
      key: 'token',
    });
    expect([report.left, keys.length > 0]).toEqual([[], true]);
    for (const key of keys) expect(JSON.stringify(report)).not.toContain(key);
  });

  test('keeps its budget of tokens where the service tells no number of them', async () => {
    for (const totalTokens of ['many', -1_000_000]) {
      const api = rewriting(/generate$/, (body) => ({ ...body, usage: { totalTokens } }));
      const { spent } = await conform({ api }, { spend: 60 });
      expect(spent.tokens).toBeGreaterThan(0);
      expect(spent.tokens).toBeLessThanOrEqual(110);
    }
  });

  test('tells what is left when the response to a creation cannot be read', async () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    const api: World['api'] = async (request, next) => {
      const response = await next(request);
      if (!/^POST .*api-keys$/.test(`${request.method} ${request.url}`)) return response;
      const text = (await response.text()).replace('{', `{"deep":${deep},`);
      const { status } = response;
      return new Response(text, { status, headers: { 'content-type': 'application/json' } });
    };
    expect((await conform({ api })).left).toEqual([expect.stringMatching(/^perhaps an API key/)]);
  });

  test('takes no field from a list that was refused', async () => {
    const api: World['api'] = async (request, next) =>
      /generate\?limit=1$/.test(request.url)
        ? Response.json({ code: 'forbidden' }, { status: 403 })
        : next(request);
    const report = await conform({ api });
    expect(report.deployment.fields).toBeUndefined();
    const cursor = report.results.find(({ id }) => id === 'list.cursor');
    expect(cursor?.verdict).toBe('differs');
  });

  test('takes no look at the receiver for the callback', async () => {
    const receiver = createConformanceReceiver('https://conform.example/callbacks');
    for (const method of ['GET', 'HEAD']) {
      const { status } = await receiver.handle(new Request(receiver.url, { method }));
      expect(status).toBe(204);
    }
    const post = () => receiver.handle(new Request(receiver.url, { method: 'POST', body: '{}' }));
    expect([(await post()).status, (await post()).status]).toEqual([500, 200]);
    expect(receiver.deliveries.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  test('shows the beginning of a body that would take minutes to search', {
    timeout: 15_000,
  }, async () => {
    const api = async () => Response.json({ a: 'eyJ'.repeat(80_000) });
    const { results } = await conform({ api }, { spend: 0 });
    for (const { exchange = '' } of results) expect(exchange.length).toBeLessThan(2000);
  });
});
