import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { createControlGate } from '../../../mock-server/http/access/control-gate.ts';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { served } from '../control-api/served.ts';

const TOKEN = 'a-token-of-the-team';

async function guarded() {
  const { url } = await served({ controlToken: TOKEN, dashboard: true });
  const call = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(path === '/_control/call' && { method: 'POST', body: '{"call":"clock.now"}' }),
    });
  return { call, url };
}

test.each(['/_control/call', '/_control/stream', '/_control'])(
  'with a control token, %s responds 401 without it, on loopback too',
  async (path) => {
    const { call } = await guarded();
    const response = await call(path);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await response.json()).toMatchObject({ code: 'control_token_required' });
  },
);

test.each([
  [`Bearer ${TOKEN}`, 200],
  [`bearer  ${TOKEN} `, 200],
  [`Bearer ${TOKEN}x`, 401],
  [`Basic ${TOKEN}`, 401],
  [TOKEN, 401],
  ['Bearer ', 401],
])('the credential %j gets %i', async (authorization, status) => {
  const { call } = await guarded();
  expect((await call('/_control/call', { authorization })).status).toBe(status);
});

test('no cookie opens it, and no response sets one', async () => {
  const { call } = await guarded();
  const cookie = `contentgen_control=${TOKEN}; token=${TOKEN}`;
  for (const path of ['/_control/call', `/_control/call?token=${TOKEN}`, '/']) {
    const response = await call(path, { cookie });
    expect(response.headers.get('set-cookie'), path).toBe(null);
    expect(response.status === 200, path).toBe(path === '/' && response.status === 200);
  }
});

test('a caller with the token gets in from anywhere, and anyone can load the files of the page', () => {
  const gate = createControlGate(TOKEN);
  const bearing = (token: string) =>
    new Request('http://mock.example/_control/call', {
      headers: {
        host: 'mock.example',
        origin: 'http://a.example',
        authorization: `Bearer ${token}`,
      },
    });
  for (const peer of ['127.0.0.1', '10.0.0.1', undefined]) {
    expect(gate.reject(bearing(TOKEN), peer)).toBe(undefined);
    expect(gate.reject(bearing('another-long-token'), peer)?.status).toBe(401);
    expect(gate.rejectPage(bearing(''), peer)).toBe(undefined);
  }
});

test('a guess is compared in constant time, and the hundredth is like the first', () => {
  const compare = vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  onTestFinished(() => {
    compare.mockRestore();
    syncBuiltinESMExports();
  });
  const gate = createControlGate(TOKEN);
  const enters = (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return gate.reject(new Request('http://mock.example/', { headers }), undefined) === undefined;
  };
  const guesses = Array.from({ length: 100 }, (_, n) => TOKEN.slice(0, n % 18) + n);
  expect(guesses.filter(enters)).toEqual([]);
  expect(enters(TOKEN)).toBe(true);
  const lengths = compare.mock.calls.flat().map(({ byteLength }) => byteLength);
  expect(lengths).toEqual(new Array(2 * 101).fill(32));
});

test('the public API needs no control token', async () => {
  const { call } = await guarded();
  expect((await call('/openapi.yaml')).status).toBe(200);
  expect(await (await call('/api/usage')).json()).toMatchObject({ code: 'missing_credentials' });
});

test('a short token is rejected', async () => {
  const mock = createMockServer({ clock: 'manual' });
  onTestFinished(() => mock.close());
  await expect(serve(mock, { port: 0, controlToken: 'short' })).rejects.toThrow(/16 visible/);
});

test('connectMock sends the token, and reports a missing one by its code', async () => {
  const { url } = await guarded();
  expect(await connectMock(url, { token: TOKEN }).clock.now()).toBeGreaterThan(0);
  await expect(connectMock(url).clock.now()).rejects.toMatchObject({
    status: 401,
    code: 'control_token_required',
  });
});

test.each(['two words', '', 'new\nline', 7])('connectMock throws for the token %j', (token) => {
  expect(() => connectMock('http://127.0.0.1:1', { token: token as string })).toThrow(TypeError);
});
