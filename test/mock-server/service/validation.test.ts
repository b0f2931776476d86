import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { contractServer, GENERATE, generate, rejection } from './helpers.ts';

const webhookUrl = 'https://app.example/cb';

interface Fault {
  pointer?: string;
  parameter?: string;
  code: string;
}

async function faults(response: Response): Promise<[string, string][]> {
  const { errors } = (await response.json()) as { errors: Fault[] };
  return errors.map(({ pointer, parameter, code }) => [pointer ?? `?${parameter}`, code]);
}

test.each<[unknown, [string, string][]]>([
  [{}, [['/prompt', 'required']]],
  [{ prompt: 7 }, [['/prompt', 'invalid_type']]],
  [{ prompt: '' }, [['/prompt', 'too_short']]],
  [[], [['', 'invalid_type']]],
  [{ prompt: 'p', maxTokens: 0 }, [['/maxTokens', 'too_small']]],
  [{ prompt: 'p', maxTokens: 32_769 }, [['/maxTokens', 'too_large']]],
  [{ prompt: 'p', maxTokens: 1.5 }, [['/maxTokens', 'invalid_type']]],
  [{ prompt: 'p', temperature: 2.1 }, [['/temperature', 'too_large']]],
  [{ prompt: 'p', metadata: { 'a/b~c': 1 } }, [['/metadata/a~1b~0c', 'invalid_type']]],
  [
    {
      prompt: 'p',
      metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, 'v'])),
    },
    [['/metadata', 'too_many']],
  ],
  [{ prompt: 'p', stream: true, webhookUrl }, [['/stream', 'conflict']]],
  [
    { maxTokens: 0, other: 1 },
    [
      ['/prompt', 'required'],
      ['/maxTokens', 'too_small'],
      ['/other', 'unknown_field'],
    ],
  ],
])('generateContent %j lists each error in the body', async (body, expected) => {
  const { call } = contractServer();
  const response = await call('POST', GENERATE, body);
  expect(response.status).toBe(422);
  expect(await faults(response)).toEqual(expected);
});

test.each([
  ['nope', 'invalid_format'],
  [' https://a.example', 'invalid_format'],
  ['https://a.exa\nmple/', 'invalid_format'],
  ['http://app.example', 'insecure_url'],
  ['https://u:p@app.example', 'invalid_value'],
  ['https://169.254.169.254/', 'refused_address'],
  ['https://[::ffff:10.0.0.1]/', 'refused_address'],
  ['https://%6cocalhost/', 'refused_address'],
  ['https://①②⑦.0.0.1/', 'refused_address'],
])('the URL %j is %s, at registration and as a callback URL', async (url, code) => {
  const { call } = contractServer();
  const registered = await call('POST', '/api/webhooks', { event: 'data_updated', url });
  expect([registered.status, await faults(registered)]).toEqual([422, [['/url', code]]]);
  const asked = await call('POST', GENERATE, { prompt: 'p', webhookUrl: url });
  expect(await faults(asked)).toEqual([['/webhookUrl', code]]);
});

test.each([
  [false, 202],
  [true, 422],
])('with deliveries.strictHttps: %j, http on loopback gets %d', async (strictHttps, status) => {
  const { call } = contractServer({ deliveries: { strictHttps } });
  const body = { prompt: 'p', webhookUrl: 'http://127.0.0.1:3000/cb' };
  expect((await call('POST', GENERATE, body)).status).toBe(status);
});

test('a prompt is counted in characters, not in UTF-16 units', async () => {
  const { call } = contractServer();
  const longest = { prompt: '🙂'.repeat(100_000), webhookUrl };
  expect((await call('POST', GENERATE, longest)).status).toBe(202);
  const longer = { prompt: `${longest.prompt}!` };
  expect(await faults(await call('POST', GENERATE, longer))).toEqual([['/prompt', 'too_long']]);
});

test.each<[string, [string, string][]]>([
  ['limit=0', [['?limit', 'too_small']]],
  ['limit=ten', [['?limit', 'invalid_type']]],
  ['limit=1&limit=2', [['?limit', 'invalid_value']]],
  ['since=2026-01-01', [['?since', 'invalid_format']]],
  ['status=done', [['?status', 'invalid_value']]],
  ['cursor=', [['?cursor', 'too_short']]],
  ['constructor=1', [['?constructor', 'unknown_parameter']]],
])('listGenerations ?%s lists each error in the query', async (query, expected) => {
  const { call } = contractServer();
  const response = await call('GET', `${GENERATE}?${query}`);
  expect(response.status).toBe(422);
  expect(await faults(response)).toEqual(expected);
});

test.each(['application/json', 'text/plain', undefined])(
  'a body of zero bytes is absent, also as %s: empty if every field is optional, else 422',
  async (type) => {
    const { call } = contractServer();
    const headers = type === undefined ? {} : { headers: { 'content-type': type } };
    const send = (path: string) => call('POST', path, undefined, headers);
    expect((await send('/api/auth/api-keys')).status).toBe(201);
    const generation = await send(GENERATE);
    expect(generation.status).toBe(422);
    expect(await faults(generation)).toEqual([['/prompt', 'required']]);
  },
);

test.each([
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['APPLICATION/JSON;Charset="UTF-8"', 200],
  ['application/json; charset=latin1', 415],
  ['application/problem+json', 415],
])('content type %s gets a %d', async (type, status) => {
  const { call } = contractServer();
  const response = await call(
    'POST',
    GENERATE,
    { prompt: 'p' },
    { headers: { 'content-type': type } },
  );
  expect(response.status).toBe(status);
});

test('bytes that are not UTF-8 are 400, a compressed body is 415', async () => {
  const { call } = contractServer();
  const bytes = new Uint8Array([...new TextEncoder().encode('{"prompt":"'), 0xff, 0x22, 0x7d]);
  expect(await rejection(await call('POST', GENERATE, {}, { raw: bytes }))).toEqual([
    400,
    'invalid_json',
  ]);
  const gzip = { headers: { 'content-encoding': 'gzip' } };
  expect((await call('POST', GENERATE, { prompt: 'p' }, gzip)).status).toBe(415);
});

test('one MiB is accepted and one byte more is not, however it arrives', async () => {
  const { call, mock } = contractServer();
  const pad = (size: number) => `${JSON.stringify({ prompt: 'p' })}${' '.repeat(size - 14)}`;
  expect((await call('POST', GENERATE, {}, { raw: pad(1024 * 1024) })).status).toBe(200);
  expect((await call('POST', GENERATE, {}, { raw: pad(1024 * 1024 + 1) })).status).toBe(413);
  let pulls = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1;
      controller.enqueue(new Uint8Array(64 * 1024));
    },
  });
  const response = await generate(mock, {}, { body: endless, duplex: 'half' } as object);
  expect(response.status).toBe(413);
  expect(pulls).toBeLessThan(40);
});

test('a body that breaks off is not a server error', async () => {
  const errors: unknown[] = [];
  const { mock } = contractServer({ onError: (error) => errors.push(error) });
  const response = await internalsOf(mock).handle(
    new Request(mock.baseUrl + GENERATE, {
      method: 'POST',
      headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
      body: new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) }),
      duplex: 'half',
    } as RequestInit),
  );
  expect(await rejection(response)).toEqual([400, 'invalid_request']);
  expect(errors).toEqual([]);
});

test('a deeply nested body is rejected, and the log can still be read', async () => {
  const { call, mock } = contractServer();
  const depth = 100_000;
  const raw = `{"prompt":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},"model":"m"}`;
  const headers = { 'content-type': 'application/json' };
  const response = await call('POST', GENERATE, undefined, { raw, headers });
  expect(await rejection(response)).toEqual([422, 'validation_failed']);
  expect(JSON.parse(JSON.stringify(mock.requests()))).toMatchObject([{ body: { model: 'm' } }]);
  expect(() => JSON.stringify(mock.snapshot())).not.toThrow();
});
