import {
  formatSecret,
  isWebhookVerificationError,
  plainHmac,
  type VerifyWebhookOptions,
  verifyWebhook,
  WebhookConfigurationError,
} from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { bodyOf, vectors } from '../vectors/webhooks.ts';
import {
  at,
  completed,
  delivery,
  failed,
  now,
  otherSecret,
  outcome,
  secret,
  usage,
} from './support.ts';

const verify = (options: Partial<VerifyWebhookOptions> & object) =>
  verifyWebhook({ secret, now, diagnose: false, ...options } as VerifyWebhookOptions);

describe('Known deliveries', () => {
  test.each(vectors.verify)('$name', async (vector) => {
    const { headers, secret, tolerance, expect: expected } = vector;
    const got = await outcome(
      verifyWebhook({
        headers,
        body: bodyOf(vector),
        secret,
        tolerance,
        now: () => vector.now * 1000,
        diagnose: false,
      }),
    );
    const [best] = expected.codes ?? [];
    const wanted = {
      accept: 'accept',
      refuse: best,
      configuration: 'WebhookConfigurationError',
      either: best,
    }[expected.outcome];
    expect(got).toBe(wanted);
  });
});

describe('The input', () => {
  const forms: [string, (headers: Record<string, string>) => unknown][] = [
    ['Headers', (headers) => new Headers(headers)],
    ['a Map', (headers) => new Map(Object.entries(headers))],
    ['pairs', (headers) => Object.entries(headers)],
    ['an iterator of pairs', (headers) => new Map(Object.entries(headers)).entries()],
    ['an object', (headers) => headers],
    ['an object of arrays', (headers) => mapValues(headers, (value) => [value])],
    ['upper-case names', (headers) => mapKeys(headers, (name) => name.toUpperCase())],
    [
      'a Map of upper-case names',
      (headers) => new Map(Object.entries(mapKeys(headers, (name) => name.toUpperCase()))),
    ],
    ['an object without prototype', (headers) => Object.assign(Object.create(null), headers)],
  ];
  test.each(forms)('takes headers as %s', async (_name, form) => {
    const { body, headers } = await delivery(usage);
    const event = await verify({ body, headers: form(headers) as never });
    expect(event).toEqual({ id: 'msg_1', type: 'usage_threshold', timestamp: at, payload: usage });
  });

  test('takes a body as text, bytes, buffer or view', async () => {
    const { body, headers } = await delivery(usage);
    const bytes = new TextEncoder().encode(body);
    const wide = new Uint8Array(bytes.length + 8);
    wide.set(bytes, 4);
    const inside = new DataView(wide.buffer, 4, bytes.length);
    for (const form of [body, bytes, Buffer.from(bytes), bytes.buffer, inside])
      expect((await verify({ body: form as never, headers })).id).toBe('msg_1');
  });

  test('takes an unread Request', async () => {
    const { body, headers } = await delivery(usage);
    const request = new Request('https://app.example', { method: 'POST', body, headers });
    expect((await verify({ request })).type).toBe('usage_threshold');
  });

  test('a Request that was read is refused as parsed', async () => {
    const { body, headers } = await delivery(usage);
    const request = new Request('https://app.example', { method: 'POST', body, headers });
    await request.json();
    expect(await outcome(verify({ request }))).toBe('body_already_parsed');
  });

  test('a Request whose stream is over the cap is refused while it is read', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
    const request = new Request('https://app.example', init);
    expect(await outcome(verify({ request, maxBodyBytes: 5000 }))).toBe('body_too_large');
    expect(pulled).toBeLessThan(12);
  });

  test('a Request whose stream breaks is refused, the cause kept', async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error('gone')),
    });
    const init = { method: 'POST', body: broken, duplex: 'half' } as RequestInit;
    const error = await verify({ request: new Request('https://app.example', init) }).catch(
      (e) => e,
    );
    expect(error.code).toBe('body_not_json');
    expect(error.cause.message).toBe('gone');
  });

  test.each([[{ parsed: true }], [undefined], [null], [7], [['a']]])(
    'a body of %o is refused as parsed',
    async (body) => {
      const { headers } = await delivery(usage);
      expect(await outcome(verify({ body: body as never, headers }))).toBe('body_already_parsed');
    },
  );

  test('a parsed body that looks like a verdict of ours is refused all the same', async () => {
    const { headers } = await delivery(usage);
    const body = { ok: true, code: 'valid', event: usage, id: 'x', type: 'usage_threshold' };
    expect(await outcome(verify({ body: body as never, headers }))).toBe('body_already_parsed');
  });

  test.each(['gzip', 'br', 'identity, gzip', 'deflate'])(
    'content-encoding %s is refused',
    async (encoding) => {
      const { body, headers } = await delivery(usage);
      const sent = { ...headers, 'Content-Encoding': encoding };
      expect(await outcome(verify({ body, headers: sent }))).toBe('unsupported_encoding');
    },
  );

  test('content-encoding identity is none', async () => {
    const { body, headers } = await delivery(usage);
    expect(
      await outcome(verify({ body, headers: { ...headers, 'content-encoding': 'Identity' } })),
    ).toBe('accept');
  });

  test('a body over the cap is refused, declared or real', async () => {
    const { body, headers } = await delivery(usage);
    const declared = { ...headers, 'content-length': '1048577' };
    expect(await outcome(verify({ body, headers: declared }))).toBe('body_too_large');
    expect(await outcome(verify({ body, headers, maxBodyBytes: body.length - 1 }))).toBe(
      'body_too_large',
    );
    expect(await outcome(verify({ body, headers, maxBodyBytes: body.length }))).toBe('accept');
  });
});

describe('Headers that came twice', () => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Service-Signature'];
  test.each(names)('%s is refused in every form', async (name) => {
    const { body, headers } = await delivery(usage);
    const value = headers[name] as string;
    const joined = new Headers(headers);
    joined.append(name, value);
    const forms = [
      { ...headers, [name]: [value, value] },
      { ...headers, [name.toUpperCase()]: value, [name.toLowerCase()]: value },
      [...Object.entries(headers), [name, value]],
      joined,
    ];
    for (const form of forms)
      expect(await outcome(verify({ body, headers: form as never }))).toBe('duplicate_header');
  });

  test('the two signature headers must be equal', async () => {
    const { body, headers } = await delivery(usage);
    const other = await delivery(usage, { secret: otherSecret });
    const mixed = { ...headers, 'webhook-signature': other.headers['webhook-signature'] as string };
    expect(await outcome(verify({ body, headers: mixed }))).toBe('duplicate_header');
  });

  test.each(['webhook-signature', 'X-Service-Signature'])('%s alone is enough', async (name) => {
    const { body, headers } = await delivery(usage);
    const { 'webhook-signature': value, 'X-Service-Signature': _, ...rest } = headers;
    expect(await outcome(verify({ body, headers: { ...rest, [name]: value as string } }))).toBe(
      'accept',
    );
  });
});

describe('The time window', () => {
  test.each([
    [0, 'accept'],
    [300, 'accept'],
    [301, 'timestamp_too_old'],
    [-300, 'accept'],
    [-301, 'timestamp_in_future'],
  ])('a delivery %i s old: %s', async (age, expected) => {
    const signed = await delivery(usage, { timestamp: at - age });
    expect(await outcome(verify(signed))).toBe(expected);
  });

  test('tolerance 0 asks for the very second', async () => {
    expect(await outcome(verify({ ...(await delivery(usage)), tolerance: 0 }))).toBe('accept');
    const late = await delivery(usage, { timestamp: at - 1 });
    expect(await outcome(verify({ ...late, tolerance: 0 }))).toBe('timestamp_too_old');
  });

  test.each([Number.NaN, -1, Infinity, -Infinity, '300', null])(
    'tolerance %s is a configuration error',
    async (tolerance) => {
      const signed = await delivery(usage);
      const got = await outcome(verify({ ...signed, tolerance: tolerance as never }));
      expect(got).toBe('WebhookConfigurationError');
    },
  );

  test.each([Number.NaN, undefined, 'soon'])(
    'a clock that says %s accepts nothing',
    async (time) => {
      const signed = await delivery(usage);
      expect(await outcome(verify({ ...signed, now: () => time as never }))).not.toBe('accept');
    },
  );
});

describe('Secrets', () => {
  test('a rotated secret verifies beside the new one, in any order', async () => {
    const both = await delivery(usage, { secret: [otherSecret, secret] });
    const old = await delivery(usage);
    for (const secrets of [secret, otherSecret, [secret, otherSecret], [otherSecret, secret]])
      expect(await outcome(verify({ ...both, secret: secrets }))).toBe('accept');
    expect(await outcome(verify({ ...old, secret: [otherSecret, secret] }))).toBe('accept');
    expect(await outcome(verify({ ...old, secret: otherSecret }))).toBe('signature_mismatch');
  });

  test('raw bytes are the key itself', async () => {
    const raw = new Uint8Array(32).fill(5);
    const signed = await delivery(usage, { secret: formatSecret(raw) });
    expect(await outcome(verify({ ...signed, secret: raw }))).toBe('accept');
  });

  test.each([
    ['none', []],
    ['eleven', new Array(11).fill(secret)],
    ['an unset one', undefined],
    ['an unset one among others', [secret, undefined]],
    ['a nested list', [[secret]]],
  ])('%s is a configuration error', async (_name, secrets) => {
    const got = await outcome(verify({ ...(await delivery(usage)), secret: secrets as never }));
    expect(got).toBe('WebhookConfigurationError');
  });

  test('an unset secret is not made good by a token', async () => {
    const token = 'a-secret-token-of-20';
    const signed = await delivery(usage, { token });
    const got = await outcome(verify({ ...signed, secret: undefined as never, token }));
    expect(got).toBe('WebhookConfigurationError');
  });

  test('neither secret nor token is a configuration error', async () => {
    const signed = await delivery(usage);
    expect(await outcome(verifyWebhook({ ...signed, now }))).toBe('WebhookConfigurationError');
  });
});

describe('The signature header', () => {
  const forged = `v1,${'A'.repeat(43)}=`;
  const sign = async (list: (good: string) => string) => {
    const { body, headers } = await delivery(usage);
    const { 'X-Service-Signature': good, ...rest } = headers;
    return outcome(
      verify({ body, headers: { ...rest, 'webhook-signature': list(good as string) } }),
    );
  };
  test('of 16 entries is read whole, of 17 not at all', async () => {
    expect(await sign((good) => [...new Array(15).fill(forged), good].join(' '))).toBe('accept');
    expect(await sign((good) => [good, ...new Array(16).fill(forged)].join(' '))).toBe(
      'malformed_header',
    );
  });

  test('over 2048 characters is not read', async () => {
    expect(await sign((good) => `${good} v2,${'a'.repeat(2048)}`)).toBe('malformed_header');
    expect(await sign((good) => `${good} v2,${'a'.repeat(1900)}`)).toBe('accept');
  });

  test('a signature that cannot be canonical base64 does not count', async () => {
    const last = (good: string) => good.replace(/.=$/, 'B=');
    expect(await sign(last)).toBe('no_supported_signature');
    expect(await sign((good) => good.replace('=', ''))).toBe('no_supported_signature');
    expect(await sign((good) => good.replace('v1,', 'V1,'))).toBe('no_supported_signature');
    expect(await sign((good) => `${good}=`)).toBe('no_supported_signature');
  });
});

describe('The secret token', () => {
  const token = 'a-secret-token-of-20';
  const timed = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at) };
  const body = JSON.stringify(usage);

  test('alone authenticates a delivery', async () => {
    const headers = { ...timed, 'X-Service-Token': token };
    expect(await outcome(verifyWebhook({ body, headers, token, now }))).toBe('accept');
    for (const wrong of ['', `${token}x`, token.slice(1), 'A-secret-token-of-20'])
      expect(
        await outcome(
          verifyWebhook({ body, headers: { ...timed, 'X-Service-Token': wrong }, token, now }),
        ),
      ).toBe('token_mismatch');
    expect(await outcome(verifyWebhook({ body, headers: timed, token, now }))).toBe(
      'token_mismatch',
    );
  });

  test('and the signature must both hold when both are given', async () => {
    const signed = await delivery(usage, { token });
    expect(await outcome(verify({ ...signed, token }))).toBe('accept');
    expect(await outcome(verify({ ...(await delivery(usage)), token }))).toBe('token_mismatch');
    const forged = {
      ...signed.headers,
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
      'X-Service-Signature': `v1,${'A'.repeat(43)}=`,
    };
    expect(await outcome(verify({ body, headers: forged, token }))).toBe('signature_mismatch');
  });

  test('may be one of several, in a header of another name', async () => {
    const headers = { ...timed, 'X-Token': token };
    const tokens = ['another-token-of-any', token];
    expect(
      await outcome(verifyWebhook({ body, headers, token: tokens, tokenHeader: 'X-Token', now })),
    ).toBe('accept');
  });

  test.each([
    ['short'],
    ['white space in the token'],
    [''],
    [undefined],
    [1234567890123456],
    [[]],
    [[null]],
    ['ü'.repeat(20)],
  ])('%o is a configuration error', async (bad) => {
    const headers = { ...timed, 'X-Service-Token': '' };
    const got = await outcome(verifyWebhook({ body, headers, token: bad as never, now }));
    expect(got).toBe('WebhookConfigurationError');
  });
});

describe('A delivery without id or time', () => {
  const token = 'a-secret-token-of-20';
  const headers = { 'X-Service-Token': token };
  const verifyToken = (payload: unknown, allowUntimed = true) =>
    verifyWebhook({ body: JSON.stringify(payload), headers, token, now, allowUntimed });

  test('is refused unless untimed ones are asked for', async () => {
    expect(await outcome(verifyToken(usage, false))).toBe('missing_header');
  });

  test('is named by request and status when it is a callback', async () => {
    expect(await verifyToken(completed)).toEqual({
      id: 'gen_1:completed',
      type: 'generation_completed',
      payload: completed,
    });
    expect((await verifyToken(failed)).id).toBe('gen_2:failed');
    expect((await verifyToken({ requestId: 'gen_3', result: 'x' })).id).toBe('gen_3:completed');
  });

  test('is named by its body else', async () => {
    const { id } = await verifyToken(usage);
    expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await verifyToken({ ...usage, usage: 901 })).id).not.toBe(id);
    expect((await verifyToken({ result: 'without a request' })).id).toMatch(/^sha256:/);
  });

  test('never passes where the scheme signs both', async () => {
    const { body, headers } = await delivery(usage);
    for (const name of ['webhook-id', 'webhook-timestamp']) {
      const { [name]: _, ...rest } = headers;
      expect(await outcome(verify({ body, headers: rest, allowUntimed: true }))).toBe(
        'missing_header',
      );
    }
  });

  test('passes under plainHmac, which signs neither', async () => {
    const scheme = plainHmac({ prefix: 'sha256=' });
    const { body, headers } = await delivery(usage, { scheme });
    const bare = { 'X-Service-Signature': headers['X-Service-Signature'] as string };
    expect((await verify({ body, headers, scheme })).id).toBe('msg_1');
    expect(await outcome(verify({ body, headers: bare, scheme }))).toBe('missing_header');
    const event = await verify({ body, headers: bare, scheme, allowUntimed: true });
    expect(event.id).toMatch(/^sha256:/);
    expect(event).not.toHaveProperty('timestamp');
  });
});

describe('The event', () => {
  test.each([
    [usage, 'usage_threshold'],
    [completed, 'generation_completed'],
    [failed, 'generation_failed'],
    [{ result: 'x' }, 'generation_completed'],
    [{ result: 'x', error: { code: 'e', message: 'm' } }, 'generation_failed'],
    [{ status: 'failed' }, 'generation_failed'],
    [{ event: 'invoice_voided' }, 'invoice_voided'],
    [{ event: 'constructor' }, 'constructor'],
    [{ event: 7, result: 'x' }, 'generation_completed'],
    [{}, 'unknown'],
    [{ result: 7 }, 'unknown'],
  ])('of %o is %s', async (payload, type) => {
    expect((await verify(await delivery(payload))).type).toBe(type);
  });

  test('of a deployment with other names has our type and its own payload', async () => {
    const eventNames = { invoice_paid: 'invoice.paid' };
    const payload = { event: 'invoice.paid', organization: 'org_1' };
    const event = await verify({ ...(await delivery(payload)), eventNames });
    expect(event.type).toBe('invoice_paid');
    expect(event.payload).toEqual(payload);
  });

  test.each(['', ' ', 'null', '[]', '"text"', '7', '{', '\uFEFF\uFEFF{}', '{"a":1}x'])(
    'is none when the signed body is %o',
    async (text) => {
      expect(await outcome(verify(await delivery(text)))).toBe('body_not_json');
    },
  );

  test('keeps a member named __proto__ from becoming a prototype', async () => {
    const text = '{"__proto__":{"event":"usage_threshold"},"x":1}';
    const event = await verify(await delivery(text));
    expect(event.type).toBe('unknown');
    expect(Object.getPrototypeOf(event.payload)).toBe(Object.prototype);
  });
});

describe('Validation with the schemas', () => {
  const validate = () => import('contentgen/schemas');

  test('accepts what fits, under our names and the deployment’s', async () => {
    expect(await outcome(verify({ ...(await delivery(usage)), validate }))).toBe('accept');
    const renamed = await delivery({ ...usage, event: 'usage.threshold' });
    const eventNames = { usage_threshold: 'usage.threshold' };
    expect(await outcome(verify({ ...renamed, eventNames, validate }))).toBe('accept');
  });

  test('refuses a payload of a known type that does not fit, naming the place, not the value', async () => {
    const error = await verify({
      ...(await delivery({ ...usage, usage: 'lots' })),
      validate,
    }).catch((e) => e);
    expect(error.code).toBe('payload_invalid');
    expect(error.hint).toContain('/usage');
    expect(error.message).not.toContain('lots');
  });

  test('lets later types pass', async () => {
    expect(await outcome(verify({ ...(await delivery({ event: 'later' })), validate }))).toBe(
      'accept',
    );
  });

  test('with something that is no schemas is a configuration error', async () => {
    const got = await outcome(verify({ ...(await delivery(usage)), validate: {} }));
    expect(got).toBe('WebhookConfigurationError');
  });
});

describe('The errors', () => {
  test('have a code, a hint and a form for logs, without what was sent', async () => {
    const { body, headers } = await delivery(usage);
    const error = await verify({ body: `${body} `, headers }).catch((e) => e);
    expect(isWebhookVerificationError(error)).toBe(true);
    expect(error).toMatchObject({ name: 'WebhookVerificationError', code: 'signature_mismatch' });
    const logged = JSON.parse(JSON.stringify(error));
    expect(logged).toMatchObject({
      name: error.name,
      code: error.code,
      hint: error.hint,
      message: error.message,
    });
    for (const hidden of [secret, 'org_1', headers['webhook-signature'] as string])
      expect(JSON.stringify(error) + error.stack).not.toContain(hidden);
  });

  test('of the configuration are of a class of their own', async () => {
    await expect(verify({ ...(await delivery(usage)), secret: 'x' })).rejects.toBeInstanceOf(
      WebhookConfigurationError,
    );
  });
});

function mapValues<T>(object: Record<string, string>, map: (value: string) => T) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

function mapKeys(object: Record<string, string>, map: (key: string) => string) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [map(key), value]));
}
