import { expect, test } from 'vitest';
import { contractServer, rejection } from './helpers.ts';

const usage = '/api/usage';
const rateLimit = { limit: 3, windowSeconds: 60 };

test('without a rate limit no response has its headers', async () => {
  const { call } = contractServer();
  const { headers } = await call('GET', usage);
  expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
});

test('a bucket empties, is reported as empty, and refills evenly', async () => {
  const { call, mock } = contractServer({ rateLimit });
  const left = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { headers } = await call('GET', usage);
    expect(headers.get('ratelimit-policy')).toBe('"default";q=3;w=60');
    left.push(headers.get('ratelimit'));
  }
  expect(left).toEqual(['"default";r=2;t=20', '"default";r=1;t=40', '"default";r=0;t=60']);

  const rejected = await call('GET', usage);
  expect(rejected.headers.get('retry-after')).toBe('20');
  expect(await rejection(rejected)).toEqual([429, 'rate_limited']);
  await mock.clock.advance(19_999);
  const early = await call('GET', usage);
  expect([early.status, early.headers.get('retry-after')]).toEqual([429, '1']);
  await mock.clock.advance(1);
  expect((await call('GET', usage)).status).toBe(200);
  expect((await call('GET', usage)).status).toBe(429);
});

test('each credential has its own bucket', async () => {
  const { call, mock } = contractServer({ rateLimit: { limit: 1, windowSeconds: 60 } });
  const token = await mock.issueToken({ role: 'member' });
  const user = { key: null, headers: { authorization: `Bearer ${token}` } };
  expect((await call('GET', usage)).status).toBe(200);
  expect((await call('GET', usage, undefined, { key: mock.memberKey })).status).toBe(200);
  expect((await call('GET', usage, undefined, user)).status).toBe(200);
  expect((await call('GET', usage, undefined, user)).status).toBe(429);
});

test.each([
  [undefined, 'GET', usage, 401],
  ['"default";r=3;t=0', 'GET', '/api/webhooks', 403],
  ['"default";r=3;t=0', 'GET', '/api/nope', 404],
  ['"default";r=3;t=0', 'PUT', usage, 405],
])(
  'a response with the header %j takes no token: %s %s, %d',
  async (left, method, path, status) => {
    const { call, mock } = contractServer({ rateLimit });
    const key = left ? mock.memberKey : null;
    for (let turn = 0; turn < 4; turn += 1) {
      const response = await call(method, path, undefined, { key });
      expect(response.status).toBe(status);
      expect(response.headers.get('ratelimit')).toBe(left ?? null);
    }
  },
);
