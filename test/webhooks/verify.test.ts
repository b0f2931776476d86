import {
  createWebhookHandler,
  signWebhook,
  verifyWebhook,
  WebhookConfigurationError,
} from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { bodyOf, vectors } from '../vectors/webhooks.ts';
import { at, delivery, otherSecret, outcome, secret, usage, verify } from './support.ts';

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
        logger: { ...console, diagnose: false },
      }),
    );
    const [best] = expected.codes ?? [];
    const wanted = {
      accept: 'accept',
      reject: best,
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

  test('rejects a Request that was read as already parsed', async () => {
    const { body, headers } = await delivery(usage);
    const request = new Request('https://app.example', { method: 'POST', body, headers });
    await request.json();
    expect(await outcome(verify({ request }))).toBe('body_already_parsed');
  });

  test('rejects a Request over the cap while reading its stream', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const { headers } = await delivery(usage);
    const init = { method: 'POST', body: endless, headers, duplex: 'half' } as RequestInit;
    const request = new Request('https://app.example', init);
    expect(await outcome(verify({ request, maxBodyBytes: 5000 }))).toBe('body_too_large');
    expect(pulled).toBeLessThan(12);
  });

  test("says that a body is too large where the framework's own limit cut it, as SvelteKit's does", async () => {
    const { headers } = await delivery(usage);
    const cut = new ReadableStream({
      pull(controller) {
        controller.error(Object.assign(new Error('Payload Too Large'), { status: 413 }));
      },
    });
    const init = { method: 'POST', body: cut, headers, duplex: 'half' } as RequestInit;
    const request = new Request('https://app.example', init);
    expect(await outcome(verify({ request }))).toBe('body_too_large');
  });

  test('rejects a Request that something else is reading as already parsed', async () => {
    const { body, headers } = await delivery(usage);
    const request = new Request('https://app.example', { method: 'POST', body, headers });
    request.body?.getReader();
    expect(await outcome(verify({ request }))).toBe('body_already_parsed');
  });

  test('reads a Request to its last byte, in any number of chunks, up to the cap', async () => {
    const { body, headers } = await delivery(usage);
    for (const size of [1, 7, body.length]) {
      const pieces = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < body.length; at += size)
            controller.enqueue(new TextEncoder().encode(body.slice(at, at + size)));
          controller.close();
        },
      });
      const init = { method: 'POST', body: pieces, headers, duplex: 'half' } as RequestInit;
      const request = new Request('https://app.example', init);
      expect(await outcome(verify({ request, maxBodyBytes: body.length }))).toBe('accept');
    }
  });

  test('does not read a Request that declares a body over the cap', async () => {
    const { body, headers } = await delivery(usage);
    const declared = { ...headers, 'content-length': String(body.length) };
    const make = () =>
      new Request('https://app.example', { method: 'POST', body, headers: declared });
    const request = make();
    expect(await outcome(verify({ request, maxBodyBytes: body.length - 1 }))).toBe(
      'body_too_large',
    );
    // A browser omits the header, so there the body is read up to the cap.
    expect(request.bodyUsed).toBe(!request.headers.has('content-length'));
    const fitting = make();
    expect(await outcome(verify({ request: fitting, maxBodyBytes: body.length }))).toBe('accept');
  });

  test('treats a Request without a body as empty', async () => {
    const headers = await signWebhook({ id: 'msg_1', timestamp: at, body: '', secret });
    const request = new Request('https://app.example', { headers });
    expect(await outcome(verify({ request }))).toBe('body_not_json');
  });

  test('rejects a Request whose stream breaks and keeps the cause', async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error('gone')),
    });
    const { headers } = await delivery(usage);
    const init = { method: 'POST', body: broken, headers, duplex: 'half' } as RequestInit;
    const error = await verify({ request: new Request('https://app.example', init) }).catch(
      (e) => e,
    );
    expect(error.code).toBe('body_not_json');
    expect(error.cause.message).toBe('gone');
  });

  test.each([[{ parsed: true }], [undefined], [null], [7], [['a']]])(
    'rejects a body of %o as already parsed',
    async (body) => {
      const { headers } = await delivery(usage);
      expect(await outcome(verify({ body: body as never, headers }))).toBe('body_already_parsed');
    },
  );

  test.each([undefined, null, 7, 'text', () => {}])(
    'rejects %o in place of options',
    async (given) => {
      expect(await outcome(verifyWebhook(given as never))).toBe('WebhookConfigurationError');
    },
  );

  test('rejects a parsed body that looks like a verdict of ours', async () => {
    const { headers } = await delivery(usage);
    const body = { ok: true, code: 'valid', event: usage, id: 'x', type: 'usage_threshold' };
    expect(await outcome(verify({ body: body as never, headers }))).toBe('body_already_parsed');
  });

  test.each(['gzip', 'br', 'identity, gzip', 'gzip, identity', 'x-identity', 'deflate'])(
    'rejects content-encoding %s',
    async (encoding) => {
      const { body, headers } = await delivery(usage);
      const sent = { ...headers, 'Content-Encoding': encoding };
      expect(await outcome(verify({ body, headers: sent }))).toBe('unsupported_encoding');
    },
  );

  test('accepts content-encoding identity', async () => {
    const { body, headers } = await delivery(usage);
    expect(
      await outcome(verify({ body, headers: { ...headers, 'content-encoding': 'Identity' } })),
    ).toBe('accept');
  });

  test('rejects a body over the cap, declared or real', async () => {
    const { body, headers } = await delivery(usage);
    const declared = { ...headers, 'content-length': '1048577' };
    expect(await outcome(verify({ body, headers: declared }))).toBe('body_too_large');
    expect(await outcome(verify({ body, headers, maxBodyBytes: body.length - 1 }))).toBe(
      'body_too_large',
    );
    expect(await outcome(verify({ body, headers, maxBodyBytes: body.length }))).toBe('accept');
  });
});

describe('Repeated headers', () => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Service-Signature'];
  test.each(names)('%s is rejected in every form', async (name) => {
    const { body, headers } = await delivery(usage);
    const value = headers[name] as string;
    const joined = new Headers(headers);
    joined.append(name, value);
    const forms = [
      { ...headers, [name]: [value, value] },
      { ...headers, [name.toUpperCase()]: value, [name.toLowerCase()]: value },
      [...Object.entries(headers), [name, value]],
      [[name, ''], ...Object.entries(headers)],
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

  test('count only if they are headers that we read and have a value', async () => {
    const { body, headers } = await delivery(usage);
    const unset = { ...headers, 'WEBHOOK-ID': undefined, 'Webhook-Timestamp': null };
    expect(await outcome(verify({ body, headers: unset as never }))).toBe('accept');
    const foreign = { ...headers, accept: ['a', 'b'], 'content-length': ['1', '1'] };
    expect(await outcome(verify({ body, headers: foreign }))).toBe('accept');
    const long = { ...headers, 'webhook-signature': `${'v1,x, '.repeat(400)}` };
    delete (long as Record<string, string>)['X-Service-Signature'];
    expect(await outcome(verify({ body, headers: long }))).toBe('malformed_header');
  });

  test('count only as own properties, because a prototype is not part of a delivery', async () => {
    const { body, headers } = await delivery(usage);
    expect(await outcome(verify({ body, headers: Object.create(headers) }))).toBe('missing_header');
    const inherited = Object.assign(Object.create({ 'Webhook-Id': 'evil' }), headers);
    expect(await outcome(verify({ body, headers: inherited }))).toBe('accept');
  });

  test.each(['webhook-signature', 'X-Service-Signature'])('only %s is enough', async (name) => {
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
    [120, 'accept'],
    [121, 'timestamp_too_old'],
    [-120, 'accept'],
    [-121, 'timestamp_in_future'],
  ])('a delivery that is %i s old, with a tolerance of 120 s: %s', async (age, expected) => {
    const signed = await delivery(usage, { timestamp: at - age });
    expect(await outcome(verify({ ...signed, tolerance: 120 }))).toBe(expected);
  });

  test('tolerance 0 accepts only the same second', async () => {
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
    'a clock that returns %s accepts nothing',
    async (time) => {
      const signed = await delivery(usage);
      expect(await outcome(verify({ ...signed, now: () => time as never }))).not.toBe('accept');
    },
  );
});

describe('The name of the token header', () => {
  const token = 'a-token-of-the-registration';
  test('is that of a deployment, which no bare object is', async () => {
    const deployment = { tokenHeader: 'X-Token' } as never;
    const { body, headers } = await delivery(usage);
    expect(await outcome(verify({ body, headers, deployment }))).toBe('WebhookConfigurationError');
    expect(() => createWebhookHandler({ token, deployment })).toThrow('defineDeployment()');
    await expect(signWebhook({ body, secret, token, deployment })).rejects.toThrow(
      WebhookConfigurationError,
    );
  });

  test.each(['X-Token', 'x_token', 'a'.repeat(255)])('%s is accepted', async (tokenHeader) => {
    const deployment = defineDeployment({ tokenHeader });
    const { body, headers } = await delivery(usage, { token, deployment });
    expect(headers[tokenHeader]).toBe(token);
    expect(await outcome(verify({ body, headers, token, deployment }))).toBe('accept');
    // Directly afterwards, another name and the default one.
    const other = defineDeployment({ tokenHeader: 'other' });
    expect(await outcome(verify({ body, headers, token, deployment: other }))).toBe(
      'token_mismatch',
    );
    expect(await outcome(verify({ body, headers, token }))).toBe('token_mismatch');
  });
});

function mapValues<T>(object: Record<string, string>, map: (value: string) => T) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

function mapKeys(object: Record<string, string>, map: (key: string) => string) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [map(key), value]));
}
