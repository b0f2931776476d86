import { describe, expect, test } from 'vitest';
import { ContentGen } from '../../../src/index.ts';
import { serve } from '../../support/sockets.ts';
import { invoke, served } from './invoke.ts';

describe('contentgen trigger', () => {
  test('triggers the event and prints its deliveries', async () => {
    const { mock, url } = await served();
    const hooks = 'https://app.example/hooks';
    const got: unknown[] = [];
    mock.receivers.set(hooks, async (request) => {
      got.push(await request.json());
      return new Response();
    });
    const client = new ContentGen({ baseUrl: url, apiKey: mock.adminKey });
    await client.webhooks.create({ event: 'invoice_paid', url: hooks });
    const data = '{"invoice":{"amountDue":4200}}';
    const { code, out } = await invoke(['trigger', 'invoice_paid', '--url', url, '--data', data]);
    expect(code).toBe(0);
    expect(out).toMatch(/^invoice_paid → https:\/\/app\.example\/hooks {2}dlv_\w+$/);
    await mock.settle();
    expect(got).toMatchObject([{ invoice: { amountDue: 4200 } }]);
  });

  test('fails when no webhook is registered for the event, so that a script stops', async () => {
    const { url } = await served();
    const { code, err } = await invoke(['trigger', 'data_updated', '--url', url]);
    expect(err).toContain(
      "data_updated: no enabled webhook is registered for this event. Register one with client.webhooks.create({ event: 'data_updated', url }).",
    );
    const json = await invoke(['trigger', 'data_updated', '--url', url, '--json']);
    expect(JSON.parse(json.out)).toEqual({ event: 'data_updated', deliveries: [] });
    expect([code, json.code]).toEqual([1, 1]);
  });

  test.each([
    [404, 'no'],
    [200, '<!doctype html>'],
    [401, '{ "code": "missing_credentials", "detail": "Send a key." }'],
  ])(
    'a server that is not a mock and responds with %i %s is reported as such',
    async (status, body) => {
      const url = await serve((_, response) => response.writeHead(status).end(body));
      for (const args of [
        ['trigger', 'data_updated'],
        ['keys', 'list'],
      ]) {
        const { code, err } = await invoke([...args, '--url', url]);
        expect(code).toBe(1);
        expect(err).toContain(`${url} is not a contentgen mock`);
      }
    },
  );
});

test.each([
  [
    ['trigger', 'data_updated', '--organization', 'org_none'],
    /^contentgen trigger: No organization has the id "org_none"\.$/,
  ],
  [['keys', 'revoke', 'key_none'], /^contentgen keys: .+$/],
])('%j, which the server rejects, prints one line and exits with 1', async (args, line) => {
  const { url } = await served();
  const outcome = await invoke([...args, '--url', url]);
  expect(outcome).toEqual({ code: 1, out: '', err: expect.stringMatching(line) });
});

describe('contentgen keys', () => {
  test('creates, lists, regenerates and revokes keys without needing one', async () => {
    const { url } = await served();
    const keys = (...args: string[]) => invoke(['keys', ...args, '--url', url]);
    const made = JSON.parse(
      (await keys('create', '--name', 'ci', '--role', 'admin', '--json')).out,
    );
    expect(made).toMatchObject({ name: 'ci', role: 'admin', status: 'active', expiresAt: null });
    await new ContentGen({ baseUrl: url, apiKey: made.key }).apiKeys.list();

    const listed = await keys('list');
    expect(listed.out.split('\n')).toHaveLength(3);
    expect(listed.out).toContain(made.id);
    expect(listed.out).not.toContain(made.key);

    const again = await keys('regenerate', made.id, '--grace', '60', '--quiet');
    await new ContentGen({ baseUrl: url, apiKey: again.out }).apiKeys.list();
    expect((await keys('revoke', made.id)).out).toContain('revoked');
    const rejected = await new ContentGen({ baseUrl: url, apiKey: made.key }).usage.get().safe();
    expect(rejected.ok).toBe(false);
  });

  test('the list has one line per key, whatever its name contains', async () => {
    const { mock, url } = await served();
    const name = 'ci\u001b[2J\nkey_forged  active';
    await new ContentGen({ baseUrl: url, apiKey: mock.adminKey }).apiKeys.create({ name });
    const { out } = await invoke(['keys', 'list', '--url', url]);
    expect(out.split('\n')).toHaveLength(3);
    expect(out).toContain('ci [2J key_forged  active');
  });

  test.each([
    [[], 'member'],
    [['--role', 'admin'], 'admin'],
  ])('token %j prints a JWT that the service accepts for that role', async (flags, role) => {
    const { url } = await served();
    const { out } = await invoke(['keys', 'token', ...flags, '--url', url]);
    const [, claims = ''] = out.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ role });
    await new ContentGen({ baseUrl: url, accessToken: out }).usage.get();
    const { out: line } = await invoke(['keys', 'token', ...flags, '--json', '--url', url]);
    expect(JSON.parse(line).token).toMatch(/^ey/);
  });

  test('--api-key is used instead of the control API', async () => {
    const { mock, url } = await served();
    const list = (key: string) => invoke(['keys', 'list', '--url', url, '--api-key', key]);
    expect((await list(mock.adminKey)).code).toBe(0);
    const { code, err } = await list(mock.memberKey);
    expect(code).toBe(1);
    expect(err.split('\n')).toHaveLength(1);
  });
});
