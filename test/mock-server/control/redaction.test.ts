import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from '../../../mock-server/domain/redact.ts';
import { contractServer, GENERATE } from '../service/helpers.ts';

const receiverUrl = 'https://app.example/cb';

/** Letters as `%61`. */
const percentEncoded = (text: string) =>
  Array.from(text, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

test('a field or parameter whose name says that it is a secret is redacted, no matter what it contains', async () => {
  const { call, mock } = contractServer();
  const metadata = (names: string[], value: string) =>
    Object.fromEntries(names.map((name) => [name, value]));
  const secrets = [
    ...['clientSecret', 'signing_secret', 'webhookSecret', 'adminKey', 'private_key', 'authToken'],
    ...['refresh_token', 'X-Service-Token', 'client_secret', 'secret', 'apiKey'],
  ];
  await call('POST', GENERATE, { prompt: 'p', metadata: metadata(secrets, 'hush') });
  for (const name of secrets) await call('GET', `/api/usage?${name}=hush`);
  await call('GET', '/api/usage?access_token=hush&limit=3&X-Api-Key=hush&password');
  const redacted = '/api/usage?access_token=[redacted]&limit=3&X-Api-Key=[redacted]&password';
  expect(mock.requests().at(-1)?.path).toBe(redacted);
  expect(JSON.stringify(mock.requests())).not.toContain('hush');
  const others = ['tokens', 'idempotencyKey', 'publicKey', 'keyboard', 'hasToken', 'secretary'];
  await call('POST', GENERATE, { prompt: 'p', metadata: metadata(others, 'seen') });
  expect(mock.requests().at(-1)?.body).toMatchObject({ metadata: metadata(others, 'seen') });
});

test('the same in a URL of a body and in the events about it, but what is stored stays as it was sent', async () => {
  const { ok, mock } = contractServer();
  const url = `${receiverUrl}?token=hush&job=7#top`;
  await ok('POST', '/api/webhooks', { event: 'data_updated', url });
  const metadata = { clientSecret: 'hush' };
  await ok('POST', GENERATE, { prompt: 'p', webhookUrl: url, metadata });
  await mock.settle();
  const logs = JSON.stringify([mock.requests(), mock.events()]);
  expect(logs).toContain(`${receiverUrl}?token=[redacted]&job=7#top`);
  expect(logs).not.toContain('hush');
  expect(await ok('GET', '/api/webhooks')).toMatchObject({ data: [{ url }] });
  expect(await ok('GET', GENERATE)).toMatchObject({ data: [{ metadata }] });
});

test.each([
  ['a mistyped key', `cg_live_${'Ab1d'.repeat(12)}A`],
  ['another kind of secret', `whsk_${'Ab1/'.repeat(12)}`],
  ['a key pair of one', `whspk_${'Ab1/'.repeat(12)}`],
  ['a signature with a key pair', `v1a,${'Ab1/'.repeat(21)}Ab==`],
  ['a private key', `-----BEGIN PRIVATE KEY-----\n${'Ab1/'.repeat(16)}\n-----END PRIVATE KEY-----`],
  ['a private key that is cut off', `-----BEGIN RSA PRIVATE KEY-----\n${'Ab1/'.repeat(16)}`],
  ['the key of another service', `sk_live_${'Ab1d'.repeat(6)}`],
])('%s is redacted by its shape', async (_, value) => {
  const { call, mock } = contractServer();
  await call('POST', GENERATE, { prompt: `before ${value} after` });
  const log = JSON.stringify(mock.requests());
  expect(log).toContain('before [redacted]');
  expect(log).not.toContain('Ab1');
});

test('anything without a secret is recorded as it was sent', async () => {
  const { call, mock } = contractServer();
  const body = { prompt: 'Basic questions about eyJ and cg_test_ keys, v1, ok?', seed: 3 };
  const path = '/api/%7Eodd%20path?limit=%31&cursor=a%2Fb%zz';
  await call('POST', GENERATE, body);
  await call('GET', path);
  expect(mock.requests()).toMatchObject([{ body }, { path }]);
});

test('no event and no advice contains a key from a callback URL or from the reason of a failure', async () => {
  const warnings: string[] = [];
  const { call, mock } = contractServer({ onWarning: (sentence) => void warnings.push(sentence) });
  const urls: string[] = [];
  const url = `https://app.example/${mock.adminKey}?key=${mock.adminKey.replaceAll('_', '%5F')}`;
  mock.receivers.set(url, ({ url: received }) => {
    urls.push(received);
    return new Response();
  });
  await call('POST', '/api/webhooks', { event: 'data_updated', url });
  await call('POST', GENERATE, { prompt: `[[fail: not with ${mock.adminKey}]]` });
  mock.trigger('data_updated');
  await mock.settle();
  expect(urls).toEqual([url]);
  const events = JSON.stringify(mock.events());
  expect(events).toContain('https://app.example/[redacted]');
  expect(events).toContain('not with [redacted]');
  expect(events).not.toContain(mock.adminKey.slice(8));

  const webhookUrl = `https://nobody.example/${mock.adminKey}`;
  await call('POST', GENERATE, { prompt: 'p', webhookUrl });
  await mock.settle();
  expect(warnings).toEqual([expect.stringContaining('https://nobody.example/[redacted]')]);
  expect(warnings[0]).not.toContain(mock.adminKey.slice(8));
  expect(mock.deliveries().at(-1)?.attempts[0]?.reason).toBe(warnings[0]);
});

test('a percent-encoded key is found behind bytes that are no text, and inside a body', async () => {
  const { call, mock } = contractServer();
  const encoded = percentEncoded(mock.adminKey);
  await call('GET', `/api/%ff${encoded}`);
  await call('GET', `/api/usage?note=100%${encoded}`);
  await call('POST', GENERATE, { prompt: '100 %', webhookUrl: `${receiverUrl}?key=${encoded}` });
  expect(mock.requests()).toMatchObject([
    { path: '/api/%ff[redacted]' },
    { path: '/api/usage?note=100%[redacted]' },
    { body: { prompt: '100 %', webhookUrl: `${receiverUrl}?key=[redacted]` } },
  ]);
});

test.each([
  ['0123456789abcdef', '[redacted]'],
  ['pin 4711', 'pin [redacted]'],
  ['0123456789abcde', '0123456789abcde'],
])('of a text no longer than a known secret, what it quotes is redacted: %s', (text, expected) => {
  expect(redact(text, ['0123456789abcdef', '4711'])).toBe(expected);
});

test('redaction removes a key from any text, and leaves no trace of it', () => {
  const key = fc
    .string({ minLength: 49, maxLength: 49, unit: fc.constantFrom(...'abcXYZ0189') })
    .map((chars) => `cg_test_${chars}`);
  fc.assert(
    fc.property(fc.string(), key, fc.string(), (before, value, after) => {
      const redacted = redact(`${before}${value} ${after}`);
      expect(redacted).not.toContain(value);
      expect(redacted).toContain('[redacted]');
    }),
  );
});
