import * as contentgen from 'contentgen';
import { describe, expect, test } from 'vitest';
import { clientOf, later, problem, type Reaction, useService } from './support/service.ts';

const { ApiError, ContentGenError, isApiError, isContentGenError } = contentgen;

describe('errors', () => {
  const service = useService();
  const fail = async (reaction: Reaction, maxRetries = 0) => {
    service.script(reaction);
    const { client } = clientOf(service, { maxRetries, backoff: { initial: 0 } });
    const outcome = await client.apiKeys.create({ name: 'ci' }).safe();
    if (outcome.ok) throw new Error('The call did not fail.');
    return outcome.error;
  };

  test.each([
    [400, 'invalid_json', 'final', contentgen.BadRequestError],
    [401, 'revoked_api_key', 'final', contentgen.AuthenticationError],
    [403, 'insufficient_permissions', 'final', contentgen.PermissionDeniedError],
    [404, 'not_found', 'final', contentgen.NotFoundError],
    [409, 'invalid_state', 'final', contentgen.ConflictError],
    [413, 'payload_too_large', 'final', contentgen.ApiError],
    [422, 'validation_failed', 'final', contentgen.ValidationError],
    [429, 'rate_limited', 'retried', contentgen.RateLimitError],
    [429, 'quota_exceeded', 'final', contentgen.QuotaExceededError],
    [500, 'internal_error', 'retried', contentgen.ServerError],
    [501, 'of_a_later_version', 'final', contentgen.ServerError],
    [503, 'unavailable', 'retried', contentgen.ServerError],
    [503, 'invalid_state', 'final', contentgen.ServerError],
    [599, 'of_a_later_version', 'retried', contentgen.ServerError],
  ] as const)('%d %s is %s, even with a Retry-After', async (...row) => {
    const [status, code, outcome, Class] = row;
    const isFinal = outcome === 'final';
    const error = await fail(later(status, code, isFinal ? '1' : '0'), 1);
    expect(service.seen).toHaveLength(isFinal ? 1 : 2);
    expect(error.constructor).toBe(Class);
    expect(error).toBeInstanceOf(ContentGenError);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status,
      code,
      requestId: `req_${code}`,
      operation: 'createApiKey',
      problem: { code, status, detail: 'free text from the service' },
    });
    expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    expect(error.message).toContain(
      `${status} ${code} after ${isFinal ? '1 attempt' : '2 attempts'}, request req_${code}`,
    );
  });

  test('a 422 names each invalid field, in the message too', async () => {
    const errors = [
      { pointer: '/name', code: 'too_long', message: 'm' },
      { parameter: 'limit', code: 'too_large', message: 'm' },
    ];
    const error = await fail(problem(422, 'validation_failed', { errors }));
    expect(error).toMatchObject({ errors });
    expect(error.message).toContain('(/name too_long, limit too_large)');
  });

  test('an exceeded quota says when it resets', async () => {
    const resetsAt = '2026-02-01T00:00:00.000Z';
    expect(await fail(problem(429, 'quota_exceeded', { resetsAt }))).toMatchObject({
      resetsAt: new Date(resetsAt),
    });
    expect(await fail(problem(429, 'quota_exceeded', { resetsAt: 'soon' }))).not.toHaveProperty(
      'resetsAt',
    );
  });

  test('a rate limit says when to try again and what is left', async () => {
    const before = Date.now();
    const reaction = later(429, 'rate_limited', '7');
    const error = await fail({
      ...reaction,
      headers: {
        ...reaction.headers,
        ratelimit: '"default";r=0;t=7',
        'ratelimit-policy': '"default";q=60;w=60',
      },
    });
    if (!(error instanceof contentgen.RateLimitError)) throw error;
    expect(error.retryAt?.getTime()).toBeGreaterThanOrEqual(before + 7000);
    expect(error.retryAt?.getTime()).toBeLessThanOrEqual(Date.now() + 7000);
    expect(error.rateLimit).toMatchObject({ remaining: 0, limit: 60 });
  });

  const noText = { toString: 1, valueOf: 1 };
  const nested = `{"code":"deep","more":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  test.each<[string, Reaction, error: string]>([
    ['HTML under 404', { status: 404, text: '<html>' }, 'NotFoundError not_found'],
    ['HTML under 502', { status: 502, text: '<html>' }, 'ServerError http_error'],
    ['nothing under 429', { status: 429 }, 'RateLimitError rate_limited'],
    ['no problem document', { status: 400, json: { error: 'no' } }, 'BadRequestError http_error'],
    [
      'a problem whose errors are not a list',
      { status: 422, json: { code: 'x', errors: 'no' } },
      'ValidationError http_error',
    ],
    [
      'a code that does not look like one',
      problem(400, 'you sent: a secret prompt'),
      'BadRequestError http_error',
    ],
    ['a problem that nests deeply', { status: 400, text: nested }, 'BadRequestError deep'],
    ["one of the client's own codes", problem(500, 'aborted'), 'ServerError aborted'],
    [
      'a pointer that cannot be converted to a string',
      problem(422, 'validation_failed', { errors: [{ pointer: noText, code: 'x' }] }),
      'ValidationError http_error',
    ],
    ['a JSON array under 200', { status: 200, text: '[]' }, 'ParseError invalid_response'],
    ['HTML under 200', { status: 200, text: '<html>' }, 'ParseError invalid_response'],
    ['nothing under 200', { status: 200 }, 'ParseError invalid_response'],
  ])('%s is a typed error', async (_, reaction, expected) => {
    const error = await fail(reaction);
    expect(`${error.name} ${error.code}`).toBe(expected);
    expect(error).toMatchObject({ status: reaction.status, operation: 'createApiKey' });
    expect(error.cause).toBeUndefined();
  });

  test('JSON keeps name, code and message, and contains no text from the service', async () => {
    const errors = [{ pointer: '/name', code: 'too_long', message: 'you sent: ci' }];
    const error = await fail(problem(422, 'validation_failed', { errors }));
    const json = JSON.parse(JSON.stringify(error));
    expect(json).toMatchObject({
      name: 'ValidationError',
      code: 'validation_failed',
      message: error.message.replace(/ The service says: .*/, ''),
      status: 422,
      requestId: 'req_validation_failed',
      idempotencyKey: error.idempotencyKey,
      attempts: [{ status: 422 }],
      errors: [{ pointer: '/name', code: 'too_long' }],
    });
    expect(JSON.stringify(json)).not.toMatch(/free text|you sent|cg_test_key/);
  });

  test('a body that is no problem document shows its message if there is one place for it', async () => {
    const json = { error: { type: 'busy', message: 'Try later' } };
    const error = await fail({ status: 429, json });
    expect(error.message).toMatch(/ The service says: Try later$/);
    expect(error).toMatchObject({ code: 'rate_limited', body: json });
    expect(Object.keys(error)).not.toContain('body');
    expect(JSON.stringify(error)).not.toContain('Try later');
    const unclear = await fail({ status: 429, json: { message: 'one', error: 'two' } });
    expect(unclear.message).not.toContain('says');
    expect(await fail({ status: 502, text: '<html>' })).toMatchObject({ body: '<html>' });
  });

  test('the message ends with what the service says, in one line of at most 300 characters', async () => {
    const error = await fail(
      problem(409, 'invalid_state', { detail: `It is\nrevoked. ${'x'.repeat(400)}` }),
    );
    expect(error.message).toMatch(/ The service says: It is revoked\. x{280,}…$/);
    for (const detail of [undefined, '', 7, { toString: 1 }])
      expect((await fail(problem(409, 'invalid_state', { detail }))).message).not.toMatch(/says/);
  });

  test.each<[string, isNamed: boolean, Reaction]>([
    ['404 with a problem document', true, problem(404, 'not_found')],
    ['404 without one', true, { status: 404, text: '<html>' }],
    ['405', true, problem(405, 'method_not_allowed')],
    ['409', false, problem(409, 'invalid_state')],
  ])('does a %s name the URL that was called, without its query? %s', async (...row) => {
    const [, isNamed, reaction] = row;
    service.script(reaction);
    const { client } = clientOf(service, { maxRetries: 0 });
    const { error } = await client.webhooks.list({ cursor: 'c' }).safe();
    const url = '(GET https://api.example.com/api/webhooks)';
    expect(error?.message.includes(url)).toBe(isNamed);
    expect(error?.message.includes('https:')).toBe(isNamed);
  });

  test('the cause is kept, but only its name and code go into JSON', async () => {
    const code = 'ECONNREFUSED';
    const cause = Object.assign(new TypeError('to host with cg_test_key'), { code });
    const { client } = clientOf(service, { maxRetries: 0, fetch: () => Promise.reject(cause) });
    const { error } = await client.usage.get().safe();
    expect(error?.cause).toBe(cause);
    expect(JSON.parse(JSON.stringify(error)).cause).toEqual({ name: 'TypeError', code });
    expect(JSON.stringify(error) + error?.message).not.toContain('cg_test_key');
  });

  test('isApiError narrows by operation and status', async () => {
    const errors = [{ pointer: '/name', code: 'x', message: 'm' }];
    const error: unknown = await fail(problem(422, 'validation_failed', { errors }));
    expect(isApiError(error)).toBe(true);
    expect(isApiError(error, 'createApiKey')).toBe(true);
    expect(isApiError(error, 'createApiKey', 422)).toBe(true);
    expect(isApiError(error, 'createApiKey', 409)).toBe(false);
    expect(isApiError(error, 'createWebhook', 422)).toBe(false);
    const bare = await fail({ status: 422 });
    expect(isApiError(bare)).toBe(true);
    expect(isApiError(bare, 'createApiKey', 422)).toBe(false);
  });

  test('the type guards work for another copy of the package', () => {
    const brand = Symbol.for('contentgen.error');
    class Copy extends Error {
      get [brand]() {
        return 'error';
      }
    }
    expect(isContentGenError(new Copy())).toBe(true);
    expect(isApiError(new Copy())).toBe(false);
    for (const other of [new Error('x'), null, undefined, 'x', {}])
      expect(isContentGenError(other)).toBe(false);
  });

  test('safe() never rejects, not even for misuse or for what a middleware throws', async () => {
    const misuse = await clientOf(service).client.apiKeys.get('').safe();
    expect(misuse.error).toMatchObject({ code: 'unexpected_error', cause: expect.any(TypeError) });
    const falsy = ['', 0, 0n, false, null, undefined, Number.NaN];
    for (const thrown of ['a string', { secret: 1 }, Symbol('s'), new Error('secret'), ...falsy]) {
      const middleware = [() => Promise.reject(thrown)];
      const { ok, error } = await clientOf(service, { middleware }).client.usage.get().safe();
      expect({ ok, code: error?.code, cause: error?.cause }).toEqual({
        ok: false,
        code: 'unexpected_error',
        cause: thrown,
      });
      expect(JSON.stringify(error)).not.toContain('secret');
    }
  });
});

describe('the generation of an error', () => {
  const service = useService();
  const named = { generationId: 'gen_1' };
  const failureOf = (promise: PromiseLike<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('is named when a known stream cannot be opened', async () => {
    const { client } = clientOf(service);
    service.script(problem(404, 'not_found'));
    expect(await failureOf(client.content.watch('gen_1').final())).toMatchObject(named);
    expect(await failureOf(client.content.watch('gen_1').withResponse())).toMatchObject(named);
  });

  test('is named by generate when it fails', async () => {
    const { client } = clientOf(service, { maxRetries: 0 });
    service.script(problem(500, 'generation_failed', { generationId: 'gen_1' }));
    const error = await failureOf(client.content.generate({ prompt: 'p' }));
    expect(error).toMatchObject(named);
  });
});

describe('the words of the service', () => {
  const service = useService();
  const prompt = 'write a poem about my rival Acme';

  test.each([
    ['the key', 'The key cg_test_key is revoked.', 'The key … is revoked.'],
    ['the prompt', 'Refused: write a poem about my rival Acme', 'Refused: …'],
    ['a part of it', 'Refused: "a poem about my ri…"', 'Refused: "……"'],
  ])('a message does not quote %s, also if the service does', async (_, detail, shown) => {
    service.script(problem(400, 'invalid_request', { detail }));
    const { client } = clientOf(service, { maxRetries: 0 });
    const { error } = await client.content.generate({ prompt }).safe();
    expect(error?.message).toMatch(new RegExp(`The service says: ${shown}$`));
    expect(JSON.stringify(error)).not.toMatch(/Acme|cg_test_key|service says/);
  });

  test('a message that the prompt asked for with [[fail: …]] is shown whole', async () => {
    const detail = 'The model is overloaded at the moment.';
    service.script(problem(500, 'generation_failed', { detail }));
    const { client } = clientOf(service, { maxRetries: 0 });
    const asking = `${prompt} [[fail: ${detail}]]`;
    const { error } = await client.content.generate({ prompt: asking }).safe();
    expect(error?.message).toContain(`The service says: ${detail}`);
    expect(error).toMatchObject({ generation: { error: { message: detail } } });
  });
});
