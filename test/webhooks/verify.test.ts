import {
  createWebhookHandler,
  signWebhook,
  verifyWebhook,
  WebhookConfigurationError,
} from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { bodyOf, vectors } from '../vectors/webhooks.ts';
import {
  at,
  delivery,
  judge,
  judgeHeaders,
  otherSecret,
  outcome,
  secret,
  usage,
  verify,
} from './support.ts';

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
    ['an object', (headers) => headers],
    ['an object of arrays', (headers) => mapValues(headers, (value) => [value])],
    ['upper-case names', (headers) => mapKeys(headers, (name) => name.toUpperCase())],
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

  /** A `Request` with the headers of a valid delivery, and this body. */
  const asRequest = async (given?: BodyInit, more: object = {}) => {
    const { body, headers } = await delivery(usage);
    const init = { method: 'POST', body: given ?? body, headers: { ...headers, ...more } };
    return new Request('https://app.example', { ...init, duplex: 'half' } as RequestInit);
  };

  test.each<[string, (request: Request) => unknown]>([
    ['was read', (request) => request.json()],
    ['something else is reading', (request) => request.body?.getReader()],
  ])('rejects a Request that %s as already parsed', async (_, read) => {
    const request = await asRequest();
    await read(request);
    expect(await outcome(verify({ request }))).toBe('body_already_parsed');
  });

  test('rejects a Request over the cap while reading its stream', async () => {
    const pull = vi.fn((controller: ReadableStreamDefaultController) => {
      controller.enqueue(new Uint8Array(1000));
    });
    const request = await asRequest(new ReadableStream({ pull }));
    expect(await outcome(verify({ request, maxBodyBytes: 5000 }))).toBe('body_too_large');
    expect(pull.mock.calls.length).toBeLessThan(12);
  });

  test('reads a Request to its last byte, in any number of chunks, up to the cap', async () => {
    const { body } = await delivery(usage);
    for (const size of [1, 7, body.length]) {
      const pieces = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < body.length; at += size)
            controller.enqueue(new TextEncoder().encode(body.slice(at, at + size)));
          controller.close();
        },
      });
      const request = await asRequest(pieces);
      expect(await outcome(verify({ request, maxBodyBytes: body.length }))).toBe('accept');
    }
  });

  test('does not read a Request that declares a body over the cap', async () => {
    const { length } = (await delivery(usage)).body;
    const [request, fitting] = [
      await asRequest(undefined, { 'content-length': String(length) }),
      await asRequest(undefined, { 'content-length': String(length) }),
    ];
    const got = await outcome(verify({ request, maxBodyBytes: length - 1 }));
    expect([got, request.bodyUsed]).toEqual(['body_too_large', false]);
    expect(await outcome(verify({ request: fitting, maxBodyBytes: length }))).toBe('accept');
  });

  test.each([
    ['breaks', new Error('gone'), 'body_not_json'],
    [
      "is cut by the framework's own limit, as SvelteKit's does",
      Object.assign(new Error('Payload Too Large'), { status: 413 }),
      'body_too_large',
    ],
  ])('rejects a Request whose stream %s, and keeps the cause', async (_, cause, code) => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(cause) });
    const error = await verify({ request: await asRequest(broken) }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code, cause });
  });

  const verdict = { ok: true, code: 'valid', event: usage, id: 'x', type: 'usage_threshold' };
  test.each([[{ parsed: true }], [undefined], [null], [7], [['a']], [verdict]])(
    'rejects a body of %o as already parsed',
    async (body) => {
      expect(await judge({ body: body as never })).toBe('body_already_parsed');
    },
  );

  test.each([
    ...['gzip', 'br', 'identity, gzip', 'gzip, identity', 'x-identity', 'deflate'].map(
      (encoding) => [encoding, 'unsupported_encoding'],
    ),
    ['Identity', 'accept'],
  ])('content-encoding %s: %s', async (encoding, expected) => {
    const got = judgeHeaders((headers) => ({ ...headers, 'Content-Encoding': encoding }));
    expect(await got).toBe(expected);
  });

  test('rejects a body over the cap, declared or real', async () => {
    const { length } = (await delivery(usage)).body;
    const declared = judgeHeaders((headers) => ({ ...headers, 'content-length': '1048577' }));
    expect(await declared).toBe('body_too_large');
    expect(await judge({ maxBodyBytes: length - 1 })).toBe('body_too_large');
    expect(await judge({ maxBodyBytes: length })).toBe('accept');
  });
});

describe('Repeated headers', () => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Service-Signature'];
  test.each(names)('%s is rejected in every form', async (name) => {
    const forms: ((headers: Record<string, string>, value: string) => unknown)[] = [
      (headers, value) => ({ ...headers, [name]: [value, value] }),
      (headers, value) => ({
        ...headers,
        [name.toUpperCase()]: value,
        [name.toLowerCase()]: value,
      }),
      (headers, value) => [...Object.entries(headers), [name, value]],
      (headers) => [[name, ''], ...Object.entries(headers)],
      (headers, value) => new Headers([...Object.entries(headers), [name, value]]),
    ];
    for (const form of forms)
      expect(await judgeHeaders((headers) => form(headers, headers[name] ?? ''))).toBe(
        'duplicate_header',
      );
  });

  test('the two signature headers must be equal', async () => {
    const other = (await delivery(usage, { secret: otherSecret })).headers['webhook-signature'];
    const mixed = judgeHeaders((headers) => ({ ...headers, 'webhook-signature': other }));
    expect(await mixed).toBe('duplicate_header');
  });

  test.each<[string, (headers: Record<string, string>) => unknown]>([
    ['unset', (headers) => ({ ...headers, 'WEBHOOK-ID': undefined, 'Webhook-Timestamp': null })],
    ['not read', (headers) => ({ ...headers, accept: ['a', 'b'], 'content-length': ['1', '1'] })],
    // A prototype is not part of a delivery.
    ['inherited', (headers) => Object.assign(Object.create({ 'Webhook-Id': 'evil' }), headers)],
  ])('do not count if they are %s', async (_, change) => {
    expect(await judgeHeaders(change)).toBe('accept');
  });

  test('that are only inherited are missing', async () => {
    expect(await judgeHeaders((headers) => Object.create(headers))).toBe('missing_header');
  });

  test.each(['webhook-signature', 'X-Service-Signature'])('only %s is enough', async (name) => {
    const {
      'webhook-signature': value,
      'X-Service-Signature': _,
      ...rest
    } = (await delivery(usage)).headers;
    expect(await judgeHeaders(() => ({ ...rest, [name]: value }))).toBe('accept');
  });
});

describe('The time window', () => {
  test.each([
    [120, 120, 'accept'],
    [120, 121, 'timestamp_too_old'],
    [120, -120, 'accept'],
    [120, -121, 'timestamp_in_future'],
    [undefined, 300, 'accept'],
    [undefined, 301, 'timestamp_too_old'],
    [undefined, -300, 'accept'],
    [undefined, -301, 'timestamp_in_future'],
    [0, 0, 'accept'],
    [0, 1, 'timestamp_too_old'],
  ])(
    'with a tolerance of %s s, a delivery that is %i s old: %s',
    async (tolerance, age, expected) => {
      const options = tolerance === undefined ? {} : { tolerance };
      expect(await judge(options, { timestamp: at - age })).toBe(expected);
    },
  );

  test.each([Number.NaN, -1, Infinity, -Infinity, '300', null])(
    'tolerance %s is a configuration error',
    async (tolerance) => {
      expect(await judge({ tolerance: tolerance as never })).toBe('WebhookConfigurationError');
    },
  );

  test.each([Number.NaN, undefined, 'soon'])(
    'a clock that returns %s accepts nothing',
    async (time) => {
      expect(await judge({ now: () => time as never })).not.toBe('accept');
    },
  );
});

describe('The name of the token header', () => {
  const token = 'a-token-of-the-registration';
  test('is that of a deployment, which no bare object is', async () => {
    const deployment = { tokenHeader: 'X-Token' } as never;
    expect(await judge({ deployment })).toBe('WebhookConfigurationError');
    expect(() => createWebhookHandler({ token, deployment })).toThrow('defineDeployment()');
    const signing = signWebhook({ body: '{}', secret, token, deployment });
    await expect(signing).rejects.toThrow(WebhookConfigurationError);
  });

  test('is accepted, and no other', async () => {
    const deployment = defineDeployment({ tokenHeader: 'X-Token' });
    const signing = { token, deployment };
    expect((await delivery(usage, signing)).headers['X-Token']).toBe(token);
    expect(await judge({ token, deployment }, signing)).toBe('accept');
    expect(await judge({ token }, signing)).toBe('token_mismatch');
  });
});

function mapValues<T>(object: Record<string, string>, map: (value: string) => T) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

function mapKeys(object: Record<string, string>, map: (key: string) => string) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [map(key), value]));
}
