import { describe, expect, onTestFinished, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';

const TOKEN = 'a-token-of-the-team';

async function guarded() {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const served = await serve(mock, { port: 0, controlToken: TOKEN });
  onTestFinished(async () => {
    await served.close({ graceMs: 0 });
    await mock.close();
  });
  const call = (path: string, init: RequestInit = {}) =>
    fetch(served.url + path, { redirect: 'manual', ...init });
  const signIn = (token: string, headers: Record<string, string> = {}) =>
    call('/_control/session', {
      method: 'POST',
      body: new URLSearchParams({ token }),
      headers,
    });
  return { call, signIn, url: served.url };
}

describe('with a control token', () => {
  test('the control API responds 401 without it, on loopback too', async () => {
    const { call } = await guarded();
    const response = await call('/_control/clock');
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await response.json()).toMatchObject({ code: 'control_token_required' });
  });

  test.each([
    [TOKEN, 200],
    [`${TOKEN}x`, 401],
    ['', 401],
  ])('a bearer of %j gets %i', async (token, status) => {
    const { call } = await guarded();
    const headers = { authorization: `Bearer ${token}` };
    expect((await call('/_control/clock', { headers })).status).toBe(status);
  });

  test('a browser gets a page that asks for it, and signs in with a cookie that scripts cannot read', async () => {
    const { call, signIn } = await guarded();
    const page = await call('/', { headers: { accept: 'text/html' } });
    expect(page.status).toBe(401);
    expect(await page.text()).toContain('name="token"');
    const signedIn = await signIn(TOKEN);
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/']);
    const setCookie = signedIn.headers.get('set-cookie') ?? '';
    expect(setCookie).toMatch(/; HttpOnly; SameSite=Strict;/);
    expect(setCookie).not.toContain(TOKEN);
    const cookie = setCookie.split(';', 1)[0] as string;
    expect((await call('/_control/clock', { headers: { cookie } })).status).toBe(200);
  });

  test('a wrong token sets no cookie', async () => {
    const { signIn } = await guarded();
    const response = await signIn('a-token-of-another-team');
    expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
  });

  test('a page from another origin can neither use the cookie nor sign in', async () => {
    const { call, signIn } = await guarded();
    const cookie = ((await signIn(TOKEN)).headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const origin = 'https://evil.example';
    expect((await call('/_control/clock', { headers: { cookie, origin } })).status).toBe(401);
    expect((await signIn(TOKEN, { origin })).status).toBe(403);
  });

  test.each(['', '9999999999.', '9999999999.forged', '1.AAAA'])(
    'the cookie %j is rejected',
    async (value) => {
      const { call } = await guarded();
      const headers = { cookie: `contentgen_control=${value}` };
      expect((await call('/_control/clock', { headers })).status).toBe(401);
    },
  );

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
});

const html = { accept: 'text/html' };
const setCookies = (response: Response) => response.headers.getSetCookie();
const cookieOf = (response: Response) => (setCookies(response)[0] ?? '').split(';', 1)[0] as string;

describe('signing out', () => {
  test.each([
    ['DELETE', undefined, 204],
    ['POST', new URLSearchParams({ 'sign-out': 'yes' }), 303],
  ] as const)('with %s, the cookie ends', async (method, body, status) => {
    const { call } = await guarded();
    const response = await call('/_control/session', { method, body: body ?? null });
    expect([response.status, setCookies(response)]).toEqual([
      status,
      ['contentgen_control=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'],
    ]);
  });

  test('the session page has a button for it, and the dashboard can ask whether it needs one', async () => {
    const { call, signIn } = await guarded();
    const opens = async (headers: Record<string, string>) =>
      (await call('/_control/session', { headers })).json();
    expect(await opens({})).toEqual({ opens: null });
    expect(await (await call('/_control/session', { headers: html })).text()).toContain('Sign in');
    const cookie = cookieOf(await signIn(TOKEN));
    expect(await opens({ cookie })).toEqual({ opens: 'server' });
    const page = await call('/_control/session', { headers: { ...html, cookie } });
    expect(await page.text()).toContain('<button name="sign-out"');
  });

  test('a page from another origin cannot sign anyone out', async () => {
    const { call } = await guarded();
    const response = await call('/_control/session', {
      method: 'POST',
      body: new URLSearchParams({ 'sign-out': 'yes' }),
      headers: { origin: 'https://evil.example' },
    });
    expect([response.status, setCookies(response)]).toEqual([403, []]);
  });
});

describe('connectMock', () => {
  test('reports a missing token by its code', async () => {
    const { url } = await guarded();
    await expect(connectMock(url).clock.now()).rejects.toMatchObject({
      status: 401,
      code: 'control_token_required',
    });
  });

  test.each(['two words', '', 'new\nline', 7])('throws for the token %j', (token) => {
    expect(() => connectMock('http://127.0.0.1:1', { controlToken: token as string })).toThrow(
      TypeError,
    );
  });
});
