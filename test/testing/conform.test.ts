import { describe, expect, test } from 'vitest';
import givenOnly from '../../deployments/given-only.json' with { type: 'json' };
import { defineDeployment } from '../../src/deployment/index.ts';
import { canaries } from '../security/leaks/canaries.ts';
import { findLeaks } from '../security/leaks/find-leaks.ts';
import { spell } from '../security/leaks/spell.ts';
import { examine } from '../support/dialects/examine.ts';
import { type Reading, startReading } from '../support/dialects/reading.ts';
import { dialects, givenOnly as givenOnlyReadings } from '../support/dialects/readings.ts';
import {
  type Answer,
  type Asked,
  isUrl,
  postCallback,
  serve,
} from '../support/dialects/service.ts';
import { examineMock } from './conform-world.ts';

describe('what is right has no lines', () => {
  test('the reference server', async () => {
    const { mock, report } = await examineMock({});
    expect(report).toMatchObject({ deployment: {}, lines: [], left: [] });
    expect(report.proof.filter(({ ok }) => ok)).toHaveLength(4);
    expect(report.proof.filter(({ ok }) => ok === false)).toEqual([]);
    const removed = mock.requests({ status: '2xx' }).filter(({ method }) => method === 'DELETE');
    expect(removed).toHaveLength(1);
  });

  test('given-only, with its file', async () => {
    const deployment = defineDeployment(givenOnly);
    const { report } = await examineMock({ deployment }, { deployment: givenOnly });
    expect(report.lines).toEqual([]);
    expect(report.deployment).toEqual(givenOnly);
    expect(report.proof.filter(({ ok }) => ok === false)).toEqual([]);
  });

  test('without writes, nothing but generations is made', async () => {
    const { mock, report } = await examineMock({}, { allowWrites: false });
    expect(report.lines).toEqual([]);
    const made = mock.requests({ status: '2xx' }).filter(({ method }) => method !== 'GET');
    expect(new Set(made.map(({ path }) => path))).toEqual(new Set(['/api/ai/content/generate']));
    expect(report.proof).toContainEqual({
      ...{ what: 'keys and registrations', ok: undefined },
      detail: 'pass --allow-writes',
    });
  });

  test('without tokens to spend, no generation is made', async () => {
    const { mock, report } = await examineMock({}, { spend: 0 });
    expect(mock.events().filter(({ type }) => type.startsWith('generation'))).toEqual([]);
    expect(report.deployment).toEqual({ idempotency: false });
  });
});

test('what was not tried because the tokens were used is reported, and written nowhere', async () => {
  const named = 'generateContent.model';
  const ask = async (spend: number) => {
    const { lines, proof } = await examine(await startReading(dialects.kebabCase), { spend });
    const isLine = lines.some(({ line }) => line === `absent.${named}`);
    const untried = proof.filter(({ detail }) => detail.includes('--spend'));
    return [isLine, untried.map(({ what }) => what)];
  };
  const fields = ['model', 'maxTokens', 'temperature', 'seed', 'metadata'];
  const ofFields = fields.map((field) => `the request field ${field}`);
  expect(await ask(2000)).toEqual([true, []]);
  expect(await ask(60)).toEqual([false, ['a stream', ...ofFields]]);
});

/** A service with one answer to everything. */
const always = (answer: (asked: Asked) => Answer | 'lost' | Promise<Answer>) =>
  serve({ apiKey: 'key-of-the-test', secret: 'secret-of-the-test' }, answer);

describe('a service that cannot be examined', () => {
  const hangs = new Promise<Answer>(() => {});
  const operation = '/v2/api/ai/content/generate';
  test.each<[string, Answer | Promise<Answer>, string, RegExp]>([
    [
      ...(['with nothing but 404 pages', { status: 404, body: '<h1>Nginx</h1>' }, ''] as const),
      /^Nothing but 404 pages .* Is the base URL right\? If so, pass a deployment that names the path: \{ "paths": \{ "generateContent": "\/…" \} \}\.$/,
    ],
    [
      'at the path of an operation',
      { status: 404 },
      operation,
      /Remove \/api and all that follows/,
    ],
    ['that refuses the key', { status: 401 }, '', /^The key is refused .* Is it the right one\?$/],
    ['that does not respond', hangs, '', /cannot be reached/],
  ])('%s gets no line, and advice', async (_, answer, path, problem) => {
    const service = await always(() => answer);
    const more = { baseUrl: service.baseUrl + path, ...(answer === hangs && { timeoutMs: 50 }) };
    const report = await examine(service, more);
    expect(report).toMatchObject({ deployment: {}, lines: [], proof: [] });
    expect(report.problem).toMatch(problem);
  });

  test('that asks to wait longer than allowed is examined later', async () => {
    const service = await startReading({
      ...dialects.rateLimited,
      callsPerSecond: 0,
      retryAfter: 120,
    });
    const report = await examine(service);
    expect(report).toMatchObject({ retryAfter: 120, lines: [] });
    expect(service.asked).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['HTML', { status: 200, body: '<h1>Hello</h1>' }],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
    ['other JSON', { status: 200, body: { hello: 'world' } }],
  ])('that answers %s to everything gets a report without lines of names', async (_, answer) => {
    const report = await examine(await always(() => answer), {
      timeoutMs: 300,
      allowWrites: false,
    });
    expect(report.deployment).not.toHaveProperty('fields');
    expect(report.deployment).not.toHaveProperty('absent.0', 'generateContent');
  });
});

describe('a response that never comes is no evidence', () => {
  test('for a place of the key', async () => {
    const service = await always(({ headers }) =>
      headers['x-api-key'] || headers.authorization ? { status: 401 } : 'lost',
    );
    expect(await examine(service)).toMatchObject({ deployment: {}, lines: [] });
  });

  test('for a key', async () => {
    const service = await always(({ path, headers }) => {
      if (headers['x-api-key'] !== 'key-of-the-test') return 'lost';
      if (path === '/api/auth/api-keys') return { status: 200, body: { zzz: 'something-else' } };
      return { status: 404 };
    });
    expect((await examine(service, { spend: 0 })).deployment).not.toHaveProperty('fields');
  });

  test('for what a repeated POST does', async () => {
    const seen = new Set<unknown>();
    const service = await always(({ headers: { 'x-once': once } }) => {
      if (once !== undefined && seen.has(once)) return 'lost';
      seen.add(once);
      return {
        status: 200,
        body: { requestId: 'r1', result: 'Hi', model: 'm', usage: { totalTokens: 1 } },
      };
    });
    const deployment = { idempotency: 'X-Once' };
    const report = await examine(service, { deployment, allowWrites: false, timeoutMs: 300 });
    expect(report.lines.map(({ line }) => line)).not.toContain('idempotency');
    expect(report.deployment).toMatchObject(deployment);
  });
});

test('what was known and not seen is kept, and what was seen otherwise is replaced', async () => {
  const deployment = {
    ...{ eventNames: { invoice_paid: 'invoice.paid' }, statuses: { failed: 'BROKEN' } },
    ...{ wrap: 'data', absent: ['rotateSigningSecret'], fields: { requestId: 'job' } },
  };
  const report = await examine(await startReading(dialects.snakeCase), { deployment });
  expect(report.deployment).toMatchObject({
    eventNames: { invoice_paid: 'invoice.paid' },
    statuses: { failed: 'BROKEN' },
    fields: { requestId: 'request_id' },
    absent: expect.arrayContaining(['rotateSigningSecret', 'getUsage']),
  });
  expect(report.deployment).not.toHaveProperty('wrap');
});

test('a value that nothing names is a guess: printed, and in no file', async () => {
  const service = await serve({ apiKey: 'key-of-the-test', secret: 's' }, ({ method, path }) =>
    method === 'POST' && path === '/api/ai/content/generate'
      ? {
          status: 200,
          body: { requestId: 'r1', zzz: 'Hello', model: 'm', usage: { totalTokens: 1 } },
        }
      : { status: 404, body: { code: 'x', message: 'y' } },
  );
  const report = await examine(service, { timeoutMs: 1000 });
  expect(report.lines).toContainEqual(
    expect.objectContaining({ line: 'fields.result', value: 'zzz', confirm: true }),
  );
  expect(report.deployment).not.toHaveProperty('fields');
});

test('operations that moved with the generation are found there, in a wrapper of any name, and none is called absent', async () => {
  const paths = { generate: '/v1/generate', keys: '/v1/auth/api-keys', hooks: '/v1/webhooks' };
  const names = Object.fromEntries(
    Object.entries(givenOnlyReadings.plain.names).map(([ours, theirs]) => [
      ours,
      ['requestId', 'result', 'model', 'totalTokens', 'key'].includes(ours)
        ? `envelope.${theirs}`
        : theirs,
    ]),
  );
  const moved = await startReading({ ...givenOnlyReadings.plain, paths, names } as Reading);
  const { deployment } = await examine(moved);
  expect(deployment).toMatchObject({
    wrap: 'envelope',
    paths: { generateContent: '/v1/generate', createApiKey: '/v1/auth/api-keys' },
  });
});

test('a service that nests its names and demands a callback is adapted fully', async () => {
  const [apiKey, secret] = ['key-of-the-test', '00112233445566778899aabbccddeeff'];
  const refuse = (status: number, reason: string) => ({ status, body: { error: { reason } } });
  const service = await serve({ apiKey, secret }, ({ method, path, body = {} }) => {
    const { prompt, callback, max_tokens: _, eventType, targetUrl, ...others } = body;
    if (method === 'POST' && path === '/api/ai/content/generate') {
      const { url } = Object(callback);
      const [unknown] = Object.keys(others);
      if (unknown) return refuse(422, `unexpected property ${unknown}`);
      if (!prompt) return refuse(422, 'prompt is required');
      if (!isUrl(url)) return refuse(422, 'callback.url is required');
      const job = { id: 'job-1', state: 'running' };
      const done = {
        job: { ...job, state: 'done' },
        output: { text: 'Hi' },
        engine: 'x',
        tokens: 1,
      };
      postCallback(url, done, () => ({ 'x-token': secret }));
      return { status: 202, body: { job } };
    }
    if (method !== 'POST' || path !== '/api/webhooks') return refuse(404, 'nothing here');
    if (eventType !== 'usage.threshold') return refuse(422, 'eventType must be usage.threshold');
    return isUrl(targetUrl)
      ? { status: 200, body: { hook: { id: 7, eventType, targetUrl } } }
      : refuse(422, 'targetUrl must be a URL');
  });
  const { deployment, proof } = await examine(service);
  expect(proof.filter(({ ok }) => ok === false)).toEqual([]);
  expect(proof.filter(({ ok }) => ok).at(-1)?.detail).toMatch(/^it was verified and read/);
  expect(deployment).not.toHaveProperty('wrap');
  expect(deployment).toMatchObject({
    fields: {
      ...{ requestId: 'job.id', status: 'job.state', result: 'output.text', model: 'engine' },
      ...{ 'usage.totalTokens': 'tokens', maxTokens: 'max_tokens', 'Webhook.id': 'hook.id' },
    },
    ...{ webhookUrlField: 'callback.url', eventNames: { usage_threshold: 'usage.threshold' } },
    ...{ errors: { message: 'error.reason' }, statuses: { completed: 'done' } },
  });
});

test('no secret is in the report, however the service spells it', async () => {
  const apiKey = canaries['foreign key'];
  const spelled = Object.values(spell).map((write) => write(apiKey));
  const named = Object.fromEntries(spelled.map((text, index) => [text, `value ${index}`]));
  const service = await serve({ apiKey, secret: 'secret-of-the-test' }, ({ path, body }) => {
    const [result, code, message, model, status] = spelled;
    const answer = { requestId: 'r1', result, code, message, model, status, ...named };
    if (path !== '/api/ai/content/generate') return { status: 404, body: answer };
    const url = body?.['webhookUrl'];
    if (!isUrl(url)) return { status: 200, body: answer };
    postCallback(url, answer, () => ({ 'x-key': apiKey, [`x-${btoa(apiKey)}`.slice(0, -2)]: '1' }));
    return { status: 202, body: { requestId: 'r1', status, ...named } };
  });
  const report = JSON.stringify(await examine(service, { timeoutMs: 500 }));
  expect(findLeaks({ report }, { apiKey })).toEqual([]);
});

test('hostile names change nothing in this process', async () => {
  const service = await always(() => ({
    status: 200,
    body: '{"__proto__": {"toString": "x"}, "constructor": {"prototype": {"id": "y"}}, "requestId": "r", "result": "z"}',
    headers: { 'content-type': 'application/json' },
  }));
  const report = await examine(service, { timeoutMs: 300 });
  expect(JSON.stringify(report.deployment)).not.toContain('__proto__');
  expect(`${{}}`).toBe('[object Object]');
});

test('what could not be removed is named', async () => {
  const report = await examine(await startReading(dialects.stripeSigned));
  expect(report.left).toMatchObject([
    expect.stringMatching(/^a key named conform-/),
    expect.stringMatching(/^a registration of /),
  ]);
});

test('a run that is stopped removes what it made', async () => {
  const stopping = new AbortController();
  const { mock, report } = await examineMock(
    {},
    {
      signal: stopping.signal,
      onLeft: (left) => {
        if (left.some((what) => what.startsWith('a registration'))) stopping.abort();
      },
    },
  );
  expect(report.problem).toBe('It was stopped.');
  expect(report.left).toEqual([]);
  expect(mock.requests().filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});
