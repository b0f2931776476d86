import crypto from 'node:crypto';
import { formatSecret, verifyWebhook } from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { type Deployment, defineDeployment } from '../../src/deployment/index.ts';
import { bodyDeployment, bodyHmac } from '../support/body-hmac.ts';
import {
  at,
  completed,
  delivery,
  failed,
  judge,
  judgeHeaders,
  now,
  otherSecret,
  outcome,
  secret,
  usage,
  verify,
} from './support.ts';

const token = 'a-secret-token-of-20';
const wrongOption = 'WebhookConfigurationError';

describe('Secrets', () => {
  test('a rotated secret verifies next to the new one, in any order', async () => {
    const both = { secret: [otherSecret, secret] };
    for (const given of [secret, otherSecret, [secret, otherSecret], [otherSecret, secret]])
      expect(await judge({ secret: given }, both)).toBe('accept');
    expect(await judge({ secret: [otherSecret, secret] })).toBe('accept');
    expect(await judge({ secret: otherSecret })).toBe('signature_mismatch');
  });

  test('raw bytes are used as the key', async () => {
    const raw = new Uint8Array(32).fill(5);
    expect(await judge({ secret: raw }, { secret: formatSecret(raw) })).toBe('accept');
  });

  const others = Array.from({ length: 9 }, (_, n) => new Uint8Array(32).fill(n));
  test.each([
    ['none', []],
    ['eleven', [...others, secret, secret]],
    ['an unset one', undefined],
    ['an unset one among others', [secret, undefined]],
    ['a nested list', [[secret]]],
  ])('%s is a configuration error, also beside a token', async (_name, given) => {
    expect(await judge({ secret: given as never })).toBe(wrongOption);
    expect(await judge({ secret: given as never, token }, { token })).toBe(wrongOption);
  });

  test('ten are accepted, and neither secret nor token is a configuration error', async () => {
    expect(await judge({ secret: [...others, secret] })).toBe('accept');
    const signed = await delivery(usage);
    expect(await outcome(verifyWebhook({ ...signed, now }))).toBe(wrongOption);
  });
});

describe('The signature header', () => {
  const forged = `v1,${'A'.repeat(43)}=`;
  const sign = (list: (good: string) => string) =>
    judgeHeaders(({ 'X-Service-Signature': good = '', ...rest }) => ({
      ...rest,
      'webhook-signature': list(good),
    }));
  const filled = (good: string, length: number) => `${good} v2,`.padEnd(length, 'a');

  test.each<[string, (good: string) => string, string]>([
    ['16 entries', (good) => [...new Array(15).fill(forged), good].join(' '), 'accept'],
    ['17 entries', (good) => [good, ...new Array(16).fill(forged)].join(' '), 'malformed_header'],
    ['2048 characters', (good) => filled(good, 2048), 'accept'],
    ['2049 characters', (good) => filled(good, 2049), 'malformed_header'],
    ['bits left over', (good) => good.replace(/.=$/, 'B='), 'no_supported_signature'],
    ['no padding', (good) => good.replace('=', ''), 'no_supported_signature'],
    ['another version', (good) => good.replace('v1,', 'V1,'), 'no_supported_signature'],
  ])('with %s', async (_, list, expected) => {
    expect(await sign(list)).toBe(expected);
  });

  test.each([
    'zo\u00eb',
    `v1,${'\u20ac'.repeat(44)}`,
    '\ud83d\ude00 \ud83d',
    `v1,${'A'.repeat(44)}`,
  ])('is found beside an entry such as %o', async (entry) => {
    expect(await sign((good) => `${entry} ${good}`)).toBe('accept');
    expect(await sign((good) => `${good} ${entry}`)).toBe('accept');
    expect(await sign(() => entry)).toBe('no_supported_signature');
  });

  test.each([
    [1, 2 ** 20, 'signature_mismatch', 2],
    [16, 2 ** 20, 'signature_mismatch', 2],
    [17, 2 ** 20, 'malformed_header', 0],
    [1, 10, 'body_too_large', 0],
  ])('costs one HMAC per secret at most: %i entries, a cap of %i bytes', async (...row) => {
    const [count, maxBodyBytes, code, hmacs] = row;
    const { body, headers } = await delivery(usage);
    const { 'X-Service-Signature': _, ...rest } = headers;
    const createHmac = vi.spyOn(crypto, 'createHmac');
    const sent = { ...rest, 'webhook-signature': new Array(count).fill(forged).join(' ') };
    const options = { secret: [otherSecret, secret], maxBodyBytes };
    const got = await outcome(verify({ body, headers: sent, ...options }));
    expect([got, createHmac.mock.calls.length]).toEqual([code, hmacs]);
  });
});

test.each([
  ['of 255 characters', 'a'.repeat(255), 'accept'],
  ['of 256 characters', 'a'.repeat(256), 'invalid_id'],
  ['with a dot', 'msg.1', 'invalid_id'],
  ['with a space', 'msg 1', 'invalid_id'],
])('An id %s', async (_name, id, expected) => {
  const signing = expected === 'accept' ? { id } : {};
  const got = judgeHeaders((headers) => ({ ...headers, 'webhook-id': id }), signing);
  expect(await got).toBe(expected);
});

describe('The options', () => {
  test.each([Number.NaN, 0, Infinity, '1000'])('reject maxBodyBytes %s', async (maxBodyBytes) => {
    expect(await judge({ maxBodyBytes: maxBodyBytes as number })).toBe(wrongOption);
  });
});

describe('The secret token', () => {
  const timed = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at) };
  const body = JSON.stringify(usage);
  /** The outcome of a delivery without a signature. */
  const judgeToken = (sent: object, options: object = { token }) =>
    outcome(verifyWebhook({ body, headers: { ...timed, ...sent }, now, ...options } as never));

  test.each(['', 'short', `${token}\nX-Injected: 1`, 'é'.repeat(20)])(
    'is not sent if no receiver would accept it: %j',
    async (bad) => {
      const wrong = { code: 'webhook_configuration' };
      await expect(delivery(usage, { token: bad })).rejects.toMatchObject(wrong);
    },
  );

  test('authenticates a delivery without a secret', async () => {
    expect(await judgeToken({ 'X-Service-Token': token })).toBe('accept');
    for (const wrong of ['', `${token}x`, token.slice(1), 'A-secret-token-of-20'])
      expect(await judgeToken({ 'X-Service-Token': wrong })).toBe('token_mismatch');
    expect(await judgeToken({})).toBe('token_mismatch');
  });

  test('and the signature must both match if both are given', async () => {
    expect(await judge({ token }, { token })).toBe('accept');
    expect(await judge({ token })).toBe('token_mismatch');
    expect(await judge({ token, secret: otherSecret }, { token })).toBe('signature_mismatch');
  });

  test('can be one of several, in a header of another name', async () => {
    const deployment = defineDeployment({ tokenHeader: 'X-Token' });
    const options = { token: ['another-token-of-any', token], deployment };
    expect(await judgeToken({ 'X-Token': token }, options)).toBe('accept');
  });

  test.each([['short'], ['white space in the token'], [''], [undefined], [[]], ['ü'.repeat(20)]])(
    '%o is a configuration error',
    async (bad) => {
      expect(await judgeToken({ 'X-Service-Token': '' }, { token: bad })).toBe(wrongOption);
    },
  );
});

describe('A delivery without id or time', () => {
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
    for (const name of ['webhook-id', 'webhook-timestamp'])
      expect(await judgeHeaders(({ [name]: _, ...rest }) => rest)).toBe('missing_header');
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
