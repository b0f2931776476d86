import { expect, test } from 'vitest';
import { contractServer, GENERATE, rejection } from './helpers.ts';

test.each([
  ['a byte order mark', '\ufeff{"prompt":"[[say: b]]"}'],
  ['a duplicate member, of which the last counts', '{"prompt":7,"prompt":"[[say: b]]"}'],
  ['numbers written long', '{"prompt":"[[say: b]]","maxTokens":1.0e1,"temperature":-0,"seed":0}'],
])('JSON with %s is accepted', async (_, raw) => {
  const { call } = contractServer();
  const response = await call('POST', GENERATE, {}, { raw });
  expect(await response.json()).toMatchObject({ status: 'completed', result: 'b' });
});

test.each([
  '/api/usage/',
  '//api/usage',
  '/V2/api/usage',
  '/api/%75sage',
  '/api/usage;a=b',
  '/v2/.well-known/jwks.json',
])('%s is not a path of the service', async (path) => {
  const { call } = contractServer();
  expect(await rejection(await call('GET', path))).toEqual([404, 'not_found']);
});

test.each(['%', '%00', 'a%2fb', '__proto__', 'x'.repeat(4096)])(
  'nothing has the id %s',
  async (id) => {
    const { call } = contractServer();
    for (const path of [`${GENERATE}/${id}`, `/api/auth/api-keys/${id}`, `/api/webhooks/${id}`]) {
      expect(await rejection(await call('GET', path))).toEqual([404, 'not_found']);
    }
  },
);

test('a metadata pair called __proto__ is like any other', async () => {
  const { call, ok } = contractServer();
  const send = (metadata: string) =>
    call('POST', GENERATE, {}, { raw: `{"prompt":"p","metadata":{"__proto__":${metadata}}}` });
  const text = await (await send('"x","a":"b"')).text();
  expect(text).toContain('"metadata":{"__proto__":"x","a":"b"}');
  const { requestId } = JSON.parse(text);
  const read = await ok<{ metadata: object }>('GET', `${GENERATE}/${requestId}`);
  expect(Object.keys(read.metadata)).toEqual(['__proto__', 'a']);
  const wrong = await send('7');
  expect((await wrong.json()).errors).toMatchObject([
    { pointer: '/metadata/__proto__', code: 'invalid_type' },
  ]);
  const pairs = Array.from({ length: 16 }, (_, number) => `"k${number}":"v"`).join();
  expect((await send(`"x",${pairs}`)).status).toBe(422);
});

test('at most a hundred errors are listed, and the detail says how many there are', async () => {
  const { call } = contractServer();
  const names = Array.from({ length: 200 }, (_, number) => `k${number}`);
  const unknown = Object.fromEntries(names.map((name) => [name, 1]));
  const query = names.map((name) => `${name}=1`).join('&');
  for (const [response, others] of [
    [await call('POST', GENERATE, { prompt: 'p', ...unknown }), 199],
    // Every value has the wrong type, and there are too many of them.
    [await call('POST', GENERATE, { prompt: 'p', metadata: unknown }), 200],
    [await call('GET', `${GENERATE}?${query}`), 199],
  ] as const) {
    expect(response.status).toBe(422);
    const { errors, detail } = await response.json();
    expect(errors).toHaveLength(100);
    expect(detail).toContain(`(and ${others} more)`);
  }
});
