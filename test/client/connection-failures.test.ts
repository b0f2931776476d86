import { describe, expect, test, vi } from 'vitest';
import { clientOf, completed, problem, scriptedService, turns } from './support/service.ts';

const caused = (code: string, more: object = {}) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, ...more }) });

async function failWith(cause: unknown, options: object = {}) {
  const service = scriptedService();
  let requests = 0;
  const { client } = clientOf(service, {
    ...options,
    maxRetries: 1,
    fetch: () => {
      requests += 1;
      return Promise.reject(cause);
    },
  });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { error } = await client.usage.get().safe();
  return { error, requests };
}

describe('a failed connection', () => {
  const nested = Object.assign(new AggregateError([caused('ECONNREFUSED')]), { code: '' });
  const ofBun = Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' });
  const ofDeno = new TypeError('error sending request: client error (Connect): dns error: no');
  test.each([
    ['refused', caused('ECONNREFUSED', { port: 443 }), /com failed: it was refused \(ECONNREF/],
    ['dns', caused('ENOTFOUND'), /api\.example\.com failed: .+ resolved \(ENOTFOUND\)/],
    ['reset', caused('ECONNRESET'), /it was closed \(ECONNRESET\)/],
    ['timeout', caused('UND_ERR_CONNECT_TIMEOUT'), /timed out/],
    ['timeout', caused('UND_ERR_HEADERS_TIMEOUT'), /timed out/],
    ['unreachable', caused('ENETUNREACH'), /no route/],
    ['tls', caused('ERR_SSL_WRONG_VERSION_NUMBER'), /no TLS connection/],
    ['proxy', caused('ECONNREFUSED', { port: 3128 }), /proxy did not connect/],
    ['refused', new TypeError('fetch failed', { cause: nested }), /refused/],
    ['refused', ofBun, /refused/],
    ['dns', ofDeno, /resolved/],
  ] as const)(
    'says that it was %s in its message, reason and JSON: %s',
    async (reason, cause, text) => {
      const { error, requests } = await failWith(cause);
      expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed', reason });
      expect(error?.message).toMatch(text);
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({ reason });
      expect(requests).toBe(2);
    },
  );

  test('does not mistake the name of the host for a fault', async () => {
    const cause = caused('ENOTFOUND', { message: 'getaddrinfo ENOTFOUND proxy.example.com' });
    const { error } = await failWith(cause, { baseUrl: 'https://proxy.example.com' });
    expect(error).toMatchObject({ reason: 'dns' });
  });

  test.each([
    ['CERT_HAS_EXPIRED', 'certificate has expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
    ['', 'invalid peer certificate: Expired'],
  ])('for the certificate fault %s is not retried', async (code, message) => {
    const { error, requests } = await failWith(caused(code, { message }));
    expect(error).toMatchObject({ reason: 'tls', code: 'connection_failed' });
    expect(error?.message).toContain(
      `certificate of api.example.com is not trusted: ${message}${code && ` (${code})`}.`,
    );
    expect(requests).toBe(1);
  });

  const circle = new Error('x');
  circle.cause = circle;
  test.each([
    ['a browser', new TypeError('Failed to fetch')],
    ['a string', 'x'],
    ['nothing', undefined],
    ['a circle', circle],
  ])('has no reason if the runtime gives none: %s', async (_, cause) => {
    const { error } = await failWith(cause);
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
    expect(error).not.toHaveProperty('reason');
  });
});

describe('text from outside', () => {
  const service = scriptedService();
  const { client } = clientOf(service, { maxRetries: 0 });
  const forged = 'a\n2026-01-01 ERROR forged\u001b[31m\u202e\u2028b';

  test('cannot forge a log line, and is cut short', async () => {
    const reaction = problem(422, 'validation_failed', {
      requestId: forged + 'x'.repeat(10_000),
      type: forged,
      errors: [
        { pointer: `/a${forged}`, code: forged },
        { parameter: forged, code: 'c'.repeat(10_000) },
      ],
    });
    service.script({ ...reaction, headers: { 'content-type': 'application/problem+json' } });
    const { error } = await client.usage.get().safe();
    const text = `${error?.message}${JSON.stringify(error)}${error?.requestId}`;
    expect(text).not.toMatch(/[\p{C}\p{Zl}]|\\u001b|\\n/u);
    expect(error?.message.length).toBeLessThan(1000);
    expect(error?.requestId?.length).toBeLessThan(130);
  });

  test('a metadata key that the user chose appears in errors, but not in the message or the JSON', async () => {
    const errors = [
      { pointer: '/metadata/ssn 123-45', code: 'too_long', message: 'm' },
      { pointer: '/items/3/name', code: 'x', message: 'm' },
      { pointer: '/my own field', code: 'unknown', message: 'm' },
    ];
    service.script(problem(422, 'validation_failed', { errors }));
    const { error } = await client.usage.get().safe();
    expect(error?.message).toContain('(/metadata/* too_long, /items/3/* x, /* unknown)');
    expect(JSON.stringify(error)).not.toMatch(/ssn|my own/);
    expect(error).toMatchObject({ errors });
  });
});

describe('a runtime with gaps', () => {
  test.each([undefined, {}])(
    'whose crypto is %j: a POST names the polyfill, and works with an idempotency key',
    async (crypto) => {
      vi.stubGlobal('crypto', crypto);
      const service = scriptedService();
      service.script({ json: completed });
      const { client } = clientOf(service);
      await expect(client.content.generate({ prompt: 'p' })).rejects.toThrow(
        /react-native-get-random-values/,
      );
      await expect(
        client.content.generate({ prompt: 'p' }, { idempotencyKey: 'mine' }),
      ).resolves.toMatchObject({ result: 'a haiku' });
    },
  );
});

describe('advice about baseUrl', () => {
  test.each([
    ['HTML under 200', { text: '<html>' }, true],
    ['HTML under 502', { status: 502, text: '<html>' }, false],
    ['a broken body of the service itself', { text: '{', headers: { 'api-version': '2' } }, false],
    ['a problem document', problem(404, 'not_found'), false],
  ])('%s: %o %s', async (_, reaction, isGiven) => {
    const service = scriptedService();
    service.script(reaction);
    const { error } = await clientOf(service, { maxRetries: 0 }).client.usage.get().safe();
    expect(error?.message.includes('Check that baseUrl')).toBe(isGiven);
  });
});

describe('one signal for many calls', () => {
  test('has one listener, so that Node 20 does not warn', async () => {
    const service = scriptedService();
    service.script({ fault: 'hang' });
    const { client } = clientOf(service);
    const controller = new AbortController();
    const { signal } = controller;
    const listen = vi.spyOn(signal, 'addEventListener');
    const outcomes = Array.from({ length: 16 }, () => client.usage.get({ signal }).safe());
    await turns(10);
    expect(listen).toHaveBeenCalledTimes(1);
    controller.abort();
    for (const { error } of await Promise.all(outcomes)) {
      expect(error).toMatchObject({ code: 'aborted' });
    }
  });
});
