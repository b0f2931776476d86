import crypto from 'node:crypto';
import { formatSecret, verifyWebhook } from 'contentgen/webhooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Deployment, defineDeployment } from '../../src/deployment/index.ts';
import { bodyDeployment, bodyHmac } from '../support/body-hmac.ts';
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
  verify,
} from './support.ts';

describe('Secrets', () => {
  test('a rotated secret verifies next to the new one, in any order', async () => {
    const both = await delivery(usage, { secret: [otherSecret, secret] });
    const old = await delivery(usage);
    for (const secrets of [secret, otherSecret, [secret, otherSecret], [otherSecret, secret]])
      expect(await outcome(verify({ ...both, secret: secrets }))).toBe('accept');
    expect(await outcome(verify({ ...old, secret: [otherSecret, secret] }))).toBe('accept');
    expect(await outcome(verify({ ...old, secret: otherSecret }))).toBe('signature_mismatch');
  });

  test('raw bytes are used as the key', async () => {
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

  test('a token does not replace an unset secret', async () => {
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
  test('with 16 entries is read, with 17 it is not', async () => {
    expect(await sign((good) => [...new Array(15).fill(forged), good].join(' '))).toBe('accept');
    expect(await sign((good) => [good, ...new Array(16).fill(forged)].join(' '))).toBe(
      'malformed_header',
    );
  });

  test.each([
    'zo\u00eb',
    `v1,${'\u20ac'.repeat(44)}`,
    '\ud83d\ude00 \ud83d',
    `v1,${'A'.repeat(44)}`,
  ])('is found after an entry such as %o', async (entry) => {
    expect(await sign((good) => `${entry} ${good}`)).toBe('accept');
    expect(await sign((good) => `${good} ${entry}`)).toBe('accept');
    expect(await sign(() => entry)).toBe('no_supported_signature');
  });

  test('over 2048 characters is not read', async () => {
    const long = (good: string, length: number) => `${good} v2,`.padEnd(length, 'a');
    expect(await sign((good) => long(good, 2048))).toBe('accept');
    expect(await sign((good) => long(good, 2049))).toBe('malformed_header');
    expect(await sign((good) => `${good} v2,${'a'.repeat(2048)}`)).toBe('malformed_header');
    expect(await sign((good) => `${good} v2,${'a'.repeat(1900)}`)).toBe('accept');
  });

  test('costs one HMAC per secret, however many it lists, and none above a cap', async () => {
    const { body, headers } = await delivery(usage);
    const { 'X-Service-Signature': _, ...rest } = headers;
    const createHmac = vi.spyOn(crypto, 'createHmac');
    onTestFinished(() => createHmac.mockRestore());
    const check = async (signatures: number, maxBodyBytes = 2 ** 20) => {
      createHmac.mockClear();
      const list = new Array(signatures).fill(forged).join(' ');
      const sent = { body, headers: { ...rest, 'webhook-signature': list } };
      const options = { secret: [otherSecret, secret], maxBodyBytes };
      return [await outcome(verify({ ...sent, ...options })), createHmac.mock.calls.length];
    };
    expect(await check(1)).toEqual(['signature_mismatch', 2]);
    expect(await check(16)).toEqual(['signature_mismatch', 2]);
    expect(await check(17)).toEqual(['malformed_header', 0]);
    expect(await check(1, body.length - 1)).toEqual(['body_too_large', 0]);
  });

  test('a signature that is not canonical base64 does not count', async () => {
    const last = (good: string) => good.replace(/.=$/, 'B=');
    expect(await sign(last)).toBe('no_supported_signature');
    expect(await sign((good) => good.replace('=', ''))).toBe('no_supported_signature');
    expect(await sign((good) => good.replace('v1,', 'V1,'))).toBe('no_supported_signature');
    expect(await sign((good) => `${good}=`)).toBe('no_supported_signature');
  });
});

test.each([
  ['of 255 characters', 'a'.repeat(255), 'accept'],
  ['of 256 characters', 'a'.repeat(256), 'invalid_id'],
  ['with a dot', 'msg.1', 'invalid_id'],
  ['with a space', 'msg 1', 'invalid_id'],
  ['with another letter', 'msg_\u00e9', 'invalid_id'],
])('An id %s', async (_name, id, expected) => {
  const signed = await delivery(usage, expected === 'accept' ? { id } : {});
  const headers = { ...signed.headers, 'webhook-id': id };
  expect(await outcome(verify({ ...signed, headers }))).toBe(expected);
});

describe('The options', () => {
  test('of one delivery do not affect the next', async () => {
    const scheme = bodyHmac({ header: 'X-Other' });
    const other = await delivery(usage, { scheme });
    const standard = await delivery(usage);
    for (let round = 0; round < 2; round++) {
      expect(await outcome(verify(standard))).toBe('accept');
      expect(await outcome(verify({ ...other, scheme }))).toBe('accept');
      expect(await outcome(verify({ ...standard, scheme }))).toBe('missing_header');
    }
  });

  test.each([Number.NaN, 0, Infinity, '1000'])('reject maxBodyBytes %s', async (given) => {
    const signed = await delivery(usage);
    const got = await outcome(verify({ ...signed, maxBodyBytes: given as number }));
    expect(got).toBe('WebhookConfigurationError');
  });

  test('take up to 10 secrets', async () => {
    const signed = await delivery(usage);
    const others = Array.from({ length: 9 }, (_, n) => new Uint8Array(32).fill(n));
    expect(await outcome(verify({ ...signed, secret: [...others, secret] }))).toBe('accept');
    const got = await outcome(verify({ ...signed, secret: [...others, secret, secret] }));
    expect(got).toBe('WebhookConfigurationError');
  });
});

describe('The secret token', () => {
  const token = 'a-secret-token-of-20';

  test.each(['', 'short', `${token}\nX-Injected: 1`, 'é'.repeat(20)])(
    'is not sent if no receiver would accept it: %j',
    async (bad) => {
      await expect(delivery(usage, { token: bad })).rejects.toMatchObject({
        code: 'webhook_configuration',
      });
    },
  );

  const timed = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at) };
  const body = JSON.stringify(usage);

  test('authenticates a delivery without a secret', async () => {
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

  test('and the signature must both match if both are given', async () => {
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

  test('can be one of several, in a header of another name', async () => {
    const headers = { ...timed, 'X-Token': token };
    const tokens = ['another-token-of-any', token];
    expect(
      await outcome(
        verifyWebhook({
          body,
          headers,
          token: tokens,
          deployment: defineDeployment({ tokenHeader: 'X-Token' }),
          now,
        }),
      ),
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
  const untimed = defineDeployment({ scheme: { type: 'token', header: 'X-Service-Token' } });
  const verifyToken = (payload: unknown, deployment?: Deployment) =>
    verifyWebhook({
      body: JSON.stringify(payload),
      headers,
      token,
      now,
      ...(deployment && { deployment }),
    });

  test('is rejected unless a deployment says that nothing signs a time', async () => {
    expect(await outcome(verifyToken(usage))).toBe('missing_header');
    expect(await outcome(verifyToken(usage, defineDeployment({})))).toBe('missing_header');
    expect(await outcome(verifyToken(usage, untimed))).toBe('accept');
  });

  test('gets its id from the request id and the status if it is a callback', async () => {
    expect(await verifyToken(completed, untimed)).toEqual({
      id: 'gen_1:completed',
      type: 'generation_completed',
      payload: completed,
    });
    expect((await verifyToken(failed, untimed)).id).toBe('gen_2:failed');
    expect((await verifyToken({ requestId: 'gen_3', result: 'x' }, untimed)).id).toBe(
      'gen_3:completed',
    );
  });

  test('gets its id from its body otherwise', async () => {
    const { id } = await verifyToken(usage, untimed);
    expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await verifyToken({ ...usage, usage: 901 }, untimed)).id).not.toBe(id);
    expect((await verifyToken({ result: 'without a request' }, untimed)).id).toMatch(/^sha256:/);
  });

  test('never passes if the scheme signs both', async () => {
    const { body, headers } = await delivery(usage);
    for (const name of ['webhook-id', 'webhook-timestamp']) {
      const { [name]: _, ...rest } = headers;
      const deployment = defineDeployment({});
      expect(await outcome(verify({ body, headers: rest, deployment }))).toBe('missing_header');
    }
  });

  test('passes under an HMAC of the body, which signs neither', async () => {
    const scheme = bodyHmac({ prefix: 'sha256=' });
    const { body, headers } = await delivery(usage, { scheme });
    const bare = { 'X-Service-Signature': headers['X-Service-Signature'] as string };
    expect((await verify({ body, headers, scheme })).id).toBe('msg_1');
    expect(await outcome(verify({ body, headers: bare, scheme }))).toBe('missing_header');
    const deployment = bodyDeployment({ prefix: 'sha256=' });
    const event = await verify({ body, headers: bare, deployment });
    expect(event.id).toMatch(/^sha256:/);
    expect(event).not.toHaveProperty('timestamp');
  });
});
