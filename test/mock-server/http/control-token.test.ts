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

describe('the token of a universe', () => {
  async function withUniverse() {
    const server = await guarded();
    const admin = connectMock(server.url, { controlToken: TOKEN });
    const [own, other] = [await admin.createUniverse(), await admin.createUniverse()];
    const { controlToken = '' } = own;
    return { ...server, admin, own, other, controlToken };
  }

  test('opens the control API of that universe, and no other', async () => {
    const { url, own, other, controlToken } = await withUniverse();
    expect(controlToken).toMatch(/^cgu_[\w-]{43}$/);
    const mine = connectMock(own.url, { controlToken });
    await mine.faults.add({ operation: 'getUsage', effect: { status: 503 } });
    expect(await mine.faults.list()).toHaveLength(1);
    expect(await other.faults.list()).toEqual([]);
    for (const elsewhere of [url, other.url]) {
      await expect(connectMock(elsewhere, { controlToken }).faults.list()).rejects.toMatchObject({
        status: 401,
        code: 'control_token_required',
      });
    }
  });

  test('neither lists, creates nor closes universes', async () => {
    const { call, own, other, controlToken } = await withUniverse();
    const headers = { authorization: `Bearer ${controlToken}` };
    const calls = [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', `/${other.id}`],
    ] as const;
    for (const [method, path] of calls) {
      const url = `/u/${own.id}/_control/universes${path}`;
      const response = await call(url, { method, headers });
      expect([method, response.status]).toEqual([method, 403]);
      expect(await response.json()).toMatchObject({ code: 'control_forbidden' });
    }
    await other.clock.now();
  });

  test('the token of the server opens every universe, and lists them everywhere', async () => {
    const { call, own, other } = await withUniverse();
    const headers = { authorization: `Bearer ${TOKEN}` };
    for (const place of ['', `/u/${own.id}`]) {
      const response = await call(`${place}/_control/universes`, { headers });
      const { data } = (await response.json()) as { data: { id: string }[] };
      expect(data.map(({ id }) => id)).toEqual([own.id, other.id]);
    }
  });

  test('signs in on the page of the universe, with a cookie for it only', async () => {
    const { call, own, other, controlToken } = await withUniverse();
    const page = await call(`/u/${own.id}/`, { headers: html });
    expect([page.status, await page.text()]).toEqual([
      401,
      expect.stringContaining(`action="/u/${own.id}/_control/session"`),
    ]);
    const signIn = (id: string) =>
      call(`/u/${id}/_control/session`, {
        method: 'POST',
        body: new URLSearchParams({ token: controlToken }),
      });
    expect((await signIn(other.id)).status).toBe(401);
    const signedIn = await signIn(own.id);
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, `/u/${own.id}/`]);
    expect(setCookies(signedIn)[0]).toContain(`Path=/u/${own.id}/;`);
    const headers = { cookie: cookieOf(signedIn) };
    const statusAt = async (path: string) => (await call(path, { headers })).status;
    expect([
      await statusAt(`/u/${own.id}/_control/clock`),
      await statusAt(`/u/${other.id}/_control/clock`),
      await statusAt('/_control/clock'),
    ]).toEqual([200, 401, 401]);
    const ended = await call(`/u/${own.id}/_control/session`, { method: 'DELETE', headers });
    expect(setCookies(ended).map((line) => line.split(';')[1])).toEqual([
      ' Path=/',
      ` Path=/u/${own.id}/`,
    ]);
  });

  test('the cookie of the server opens its universes too', async () => {
    const { call, own, signIn } = await withUniverse();
    const headers = { cookie: cookieOf(await signIn(TOKEN)) };
    expect((await call(`/u/${own.id}/_control/clock`, { headers })).status).toBe(200);
  });

  test('a server without a control token gives its universes none', async () => {
    const mock = createMockServer({ clock: 'manual' });
    const served = await serve(mock, { port: 0 });
    onTestFinished(async () => {
      await served.close({ graceMs: 0 });
      await mock.close();
    });
    expect(await connectMock(served.url).createUniverse()).not.toHaveProperty('controlToken');
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

test.each([
  [{ max: -1 }, /universes\.max/],
  [{ max: Number.NaN }, /universes\.max/],
  [{ idleMs: 0 }, /universes\.idleMs/],
  [{ idleMs: 1e12 }, /universes\.idleMs/],
])('the limits %j for universes are rejected', async (universes, message) => {
  const mock = createMockServer({ clock: 'manual' });
  onTestFinished(() => mock.close());
  await expect(serve(mock, { port: 0, universes })).rejects.toThrow(message);
});
