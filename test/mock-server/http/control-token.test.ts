import { describe, expect, onTestFinished, test } from 'vitest';
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

  test('a cookie does not count for a page of another origin, and neither does its sign-in', async () => {
    const { call, signIn } = await guarded();
    const cookie = ((await signIn(TOKEN)).headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const origin = 'https://evil.example';
    expect((await call('/_control/clock', { headers: { cookie, origin } })).status).toBe(401);
    expect((await signIn(TOKEN, { origin })).status).toBe(403);
  });

  test.each(['', '9999999999.', '9999999999.forged', '1.AAAA'])(
    'the cookie %j is refused',
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

  test('a short token is refused', async () => {
    const mock = createMockServer({ clock: 'manual' });
    onTestFinished(() => mock.close());
    await expect(serve(mock, { port: 0, controlToken: 'short' })).rejects.toThrow(/16 visible/);
  });
});
