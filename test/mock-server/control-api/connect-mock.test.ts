import { expect, test } from 'vitest';
import { connectPage } from '../../../mock-server/control-api/client/connect.ts';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { served } from './served.ts';

test('connectMock accepts the base URL with and without a prefix and a trailing slash', async () => {
  const asked: string[] = [];
  const fetch = (url: string | URL | Request) => {
    asked.push(String(url));
    return Promise.resolve(Response.json({ result: 1 }));
  };
  const texts = ['http://h:1', 'http://h:1/', 'http://h:1/_control', 'http://h:1/v2'];
  for (const url of [...texts, new URL('http://h:1')]) {
    await connectMock(url, { fetch: fetch as typeof globalThis.fetch }).clock.now();
  }
  expect(new Set(asked)).toEqual(new Set(['http://h:1/_control/call']));
});

test('a response from something other than a mock is not mistaken for a rejection', async () => {
  const fetch = () => Promise.resolve(new Response('<html>', { status: 404 }));
  const control = connectMock('http://h:1', { fetch });
  await expect(control.reset()).rejects.toMatchObject({
    name: 'MockControlError',
    status: 404,
    code: 'unexpected_response',
  });
});

test('if nothing is listening, the error says where it tried and what to start', async () => {
  const cause = new TypeError('fetch failed');
  const control = connectMock('http://h:1', { fetch: () => Promise.reject(cause) });
  await expect(control.reset()).rejects.toMatchObject({
    name: 'MockControlError',
    status: 0,
    code: 'unreachable',
    message: expect.stringContaining('http://h:1/_control'),
    cause,
  });
});

test('connectMock refuses what JSON cannot carry before it sends anything', async () => {
  const control = connectPage((await served()).url);
  for (const limit of [Number.NaN, Number.POSITIVE_INFINITY, (() => 1) as unknown as number]) {
    await expect(control.requests({ limit })).rejects.toMatchObject({ code: 'validation_failed' });
  }
});

test('a client that is connected has no member that is not a call', async () => {
  const control = connectPage((await served()).url);
  expect(control).not.toHaveProperty('then');
  expect(Object.keys(control)).not.toContain('receivers');
  expect(await control).toBe(control);
});
