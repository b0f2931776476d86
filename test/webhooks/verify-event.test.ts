import {
  isWebhookVerificationError,
  signWebhook,
  verifyWebhook,
  WebhookConfigurationError,
} from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import {
  at,
  completed,
  delivery,
  failed,
  now,
  outcome,
  recorder,
  secret,
  usage,
  verify,
} from './support.ts';

describe('The event', () => {
  test.each([
    [usage, 'usage_threshold'],
    [completed, 'generation_completed'],
    [failed, 'generation_failed'],
    [{ result: 'x' }, 'generation_completed'],
    [{ result: 'x', error: { code: 'e', message: 'm' } }, 'generation_failed'],
    [{ status: 'failed' }, 'generation_failed'],
    [{ status: 'completed', error: { code: 'e', message: 'm' } }, 'generation_completed'],
    [{ status: 'failed', result: 'x' }, 'generation_failed'],
    [{ status: 'moderated', result: 'x' }, 'unknown'],
    [{ event: 'invoice_voided' }, 'invoice_voided'],
    [{ event: 'constructor' }, 'constructor'],
    [{}, 'unknown'],
  ])('of %o is %s', async (payload, type) => {
    expect((await verify(await delivery(payload))).type).toBe(type);
  });

  test('of a deployment with other names has our type, in the payload too', async () => {
    const eventNames = { usage_threshold: 'usage.threshold', invoice_paid: 'invoice.paid' };
    const payload = { event: 'invoice.paid', organization: 'org_1' };
    const event = await verify({
      ...(await delivery(payload)),
      deployment: defineDeployment({ eventNames }),
    });
    expect(event.type).toBe('invoice_paid');
    expect(event.payload).toEqual({ ...payload, event: 'invoice_paid' });
  });

  test.each(['', ' ', 'null', '[]', '"text"', '7', '{', '\uFEFF\uFEFF{}', '{"a":1}x'])(
    'is rejected when the signed body is %o',
    async (text) => {
      expect(await outcome(verify(await delivery(text)))).toBe('body_not_json');
    },
  );

  test('is rejected when the body is not UTF-8, which counts only once its signature is valid', async () => {
    const body = new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, 0x22, 0x7d]);
    const headers = await signWebhook({ id: 'msg_1', timestamp: at, body, secret });
    expect(await outcome(verify({ body, headers }))).toBe('body_not_json');
    body[0] = 0xff;
    expect(await outcome(verify({ body, headers }))).toBe('signature_mismatch');
  });

  test('is validated only if its type is known', async () => {
    const error = await verify({ ...(await delivery(usage)), validate: {} }).catch((e) => e);
    expect(error).toBeInstanceOf(WebhookConfigurationError);
    expect(error.message).toContain('contentgen/schemas');
    for (const event of ['later', 'constructor'])
      expect((await verify({ ...(await delivery({ event })), validate: {} })).type).toBe(event);
  });

  test('keeps a member named __proto__ from becoming a prototype', async () => {
    const text = '{"__proto__":{"event":"usage_threshold"},"x":1}';
    const event = await verify(await delivery(text));
    expect(event.type).toBe('unknown');
    expect(Object.getPrototypeOf(event.payload)).toBe(Object.prototype);
  });
});

describe('Validation with the schemas', () => {
  const validate = () => import('contentgen/schemas');

  test('accepts valid payloads and later types, under our names and under the deployment’s', async () => {
    for (const payload of [usage, { event: 'later' }])
      expect(await outcome(verify({ ...(await delivery(payload)), validate }))).toBe('accept');
    const deployment = defineDeployment({ eventNames: { usage_threshold: 'usage.threshold' } });
    const renamed = await delivery({ ...usage, event: 'usage.threshold' });
    expect(await outcome(verify({ ...renamed, deployment, validate }))).toBe('accept');
  });

  test('rejects an invalid payload of a known type, naming the place but not the value', async () => {
    const error = await verify({
      ...(await delivery({ ...usage, usage: 'lots' })),
      validate,
    }).catch((e) => e);
    expect(error.code).toBe('payload_invalid');
    expect(error.hint).toContain('/usage');
    expect(error.message).not.toContain('lots');
  });

  test('takes the schemas themselves, and checks each type with its own', async () => {
    const schemas = await import('contentgen/schemas');
    for (const payload of [usage, completed, failed])
      expect(await outcome(verify({ ...(await delivery(payload)), validate: schemas }))).toBe(
        'accept',
      );
    for (const event of ['invoice_paid', 'invoice_payment_failed', 'data_updated']) {
      const got = await outcome(verify({ ...(await delivery({ event })), validate: schemas }));
      expect(got).toBe('payload_invalid');
    }
  });
});

describe('The errors', () => {
  test('have a code, a hint and a form for logs, without anything that was sent', async () => {
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

  test('have a stack that names the caller', async () => {
    const { body, headers } = await delivery(usage);
    const base = { body, headers, secret, now, logger: recorder() };
    const myRoute = async (options: object) => await verifyWebhook(options as never);
    for (const changed of [{ body: 'forged' }, { tolerance: Number.NaN }]) {
      const error = await myRoute({ ...base, ...changed }).catch((thrown) => thrown);
      expect(error.stack).toMatch(/\n\s+at .*myRoute/);
    }
  });

  test('are recognized by their guard, and other errors are not', async () => {
    const error = await verify({ ...(await delivery(usage)), body: 'forged' }).catch(
      (thrown) => thrown,
    );
    expect(isWebhookVerificationError(error)).toBe(true);
    const named = Object.assign(new Error('no code'), { name: 'WebhookVerificationError' });
    const coded = Object.assign(new Error('of another'), { code: 'signature_mismatch' });
    for (const other of [named, coded, { name: error.name, code: error.code }, null, 'text'])
      expect(isWebhookVerificationError(other)).toBe(false);
  });

  test('in the configuration say what is wrong, even if an option throws undefined or a hostile proxy', async () => {
    const signed = await delivery(usage);
    await expect(verify({ ...signed, secret: 'x' })).rejects.toThrow(
      /secret does not start with whsec_/,
    );
    const { body } = signed;
    await expect(verifyWebhook({ body, secret } as never)).rejects.toThrow(
      'headers is missing. Pass the headers of the request.',
    );
    const fail = () => expect.fail('trap');
    const hostile = new Proxy({}, { get: fail, getPrototypeOf: fail });
    for (const cause of [undefined, new Error('clock'), hostile]) {
      const now = () => {
        throw cause;
      };
      const error = await verify({ ...signed, now }).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(WebhookConfigurationError);
      expect(error.message).toContain('an option or the input threw');
      expect(error.cause === cause).toBe(true);
    }
  });
});

describe('Signing', () => {
  test.each([
    [{ id: 'msg.1' }, 'id'],
    [{ id: '' }, 'id'],
    [{ timestamp: 0 }, 'timestamp'],
    [{ timestamp: 1.5 }, 'timestamp'],
    [{ timestamp: new Date(Number.NaN) }, 'timestamp'],
    [{ body: { parsed: true } as never }, 'body is neither'],
  ])('with %o is a configuration error', async (options, named) => {
    const signing = signWebhook({ body: '{}', secret, ...options });
    await expect(signing).rejects.toBeInstanceOf(WebhookConfigurationError);
    await expect(signing).rejects.toThrow(named);
  });

  test('without id and time generates an id and uses the current time', async () => {
    const now = () => at * 1000 + 999;
    const [first, second] = await Promise.all(
      [1, 2].map(() => signWebhook({ body: '{}', secret, now })),
    );
    expect(first?.['webhook-timestamp']).toBe(String(at));
    expect(first?.['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(second?.['webhook-id']).not.toBe(first?.['webhook-id']);
  });
});
