import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ContentGen } from '../../src/index.ts';
import { signWebhook, verifyWebhook } from '../../src/webhooks/index.ts';
import { start } from './command.ts';
import { invoke, served } from './invoke.ts';
import { receiver } from './receiver.ts';

/** Nothing listens there. */
async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('contentgen trigger', () => {
  test('raises the event and names the deliveries that it made', async () => {
    const { mock, url } = await served();
    const hooks = await receiver();
    const client = new ContentGen({ baseUrl: url, apiKey: mock.adminKey });
    await client.webhooks.create({ event: 'invoice_paid', url: hooks.url });
    const data = '{"invoice":{"amountDue":4200}}';
    const { code, out } = await invoke(['trigger', 'invoice_paid', '--url', url, '--data', data]);
    expect(code).toBe(0);
    expect(out).toMatch(/^invoice_paid → http:\/\/127\.0\.0\.1:\d+\/hooks {2}dlv_\w+$/);
    await mock.settle();
    expect(JSON.parse(String(hooks.got[0]?.body)).invoice.amountDue).toBe(4200);
  });

  test('says so when nobody is registered', async () => {
    const { url } = await served();
    const { out } = await invoke(['trigger', 'data_updated', '--url', url]);
    expect(out).toBe('data_updated: no enabled webhook is registered for it.');
    const json = await invoke(['trigger', 'data_updated', '--url', url, '--json']);
    expect(JSON.parse(json.out)).toEqual({ event: 'data_updated', deliveries: [] });
  });

  test('an organization that is not there is one line and exit 1', async () => {
    const { url } = await served();
    const args = ['trigger', 'data_updated', '--url', url, '--organization', 'org_none'];
    expect(await invoke(args)).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^contentgen trigger: No such organization.*$/),
    });
  });

  test('another server in the mock’s place is named as what it is', async () => {
    const other = createServer((_, response) => response.writeHead(404).end('no'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, err } = await invoke(['trigger', 'data_updated', '--url', url]);
    expect(code).toBe(1);
    expect(err).toContain(`${url} is no contentgen mock`);
  });
});

describe('contentgen keys', () => {
  test('makes, lists, regenerates and revokes keys without being given one', async () => {
    const { url } = await served();
    const keys = (...args: string[]) => invoke(['keys', ...args, '--url', url]);
    const made = JSON.parse((await keys('create', '--name', 'ci', '--admin', '--json')).out);
    expect(made).toMatchObject({ name: 'ci', role: 'admin', status: 'active', expiresAt: null });
    await new ContentGen({ baseUrl: url, apiKey: made.key }).apiKeys.list();

    const listed = await keys('list');
    expect(listed.out.split('\n')).toHaveLength(3);
    expect(listed.out).toContain(made.id);
    expect(listed.out).not.toContain(made.key);

    const again = await keys('regenerate', made.id, '--grace', '60', '--quiet');
    expect(again.out).toMatch(/^cg_test_[0-9A-Za-z]{49}$/);
    expect((await keys('revoke', made.id)).out).toContain('revoked');
    const refused = await new ContentGen({ baseUrl: url, apiKey: made.key }).usage.get().safe();
    expect(refused.ok).toBe(false);
  });

  test('--quiet prints the key alone, for $(…)', async () => {
    const { url } = await served();
    const { out } = await invoke(['keys', 'create', '--quiet', '--url', url]);
    await new ContentGen({ baseUrl: url, apiKey: out }).usage.get();
  });

  test('with --api-key it asks as that key, without the control API', async () => {
    const { mock, url } = await served();
    const list = (key: string) => invoke(['keys', 'list', '--url', url, '--api-key', key]);
    expect((await list(mock.adminKey)).code).toBe(0);
    const { code, err } = await list(mock.memberKey);
    expect(code).toBe(1);
    expect(err.split('\n')).toHaveLength(1);
  });

  test('a key that is not there is one line and exit 1', async () => {
    const { url } = await served();
    const { code, err } = await invoke(['keys', 'revoke', 'key_none', '--url', url]);
    expect(code).toBe(1);
    expect(err).toMatch(/^contentgen keys: .*/);
    expect(err.split('\n')).toHaveLength(1);
  });
});

describe('contentgen listen', () => {
  test('forwards the bytes under their signature, answers as the receiver did, cleans up', async () => {
    const { mock, url } = await served();
    let status = 500;
    const hooks = await receiver(() => status);
    const args = ['--forward-to', hooks.url, '--url', url, '--event', 'data_updated', '--json'];
    const running = start(['listen', ...args]);
    const { listening, webhooks } = JSON.parse(await running.line());
    expect(listening).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(webhooks).toHaveLength(1);

    mock.trigger('data_updated', { source: 'crm', records: 3 });
    await mock.settle();
    status = 204;
    await mock.clock.advance('1 minute');
    const [first, second] = hooks.got;
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    const event = await verifyWebhook({
      headers: first?.headers ?? {},
      body: first?.body ?? '',
      secret: mock.signingSecret,
      now: mock.clock.now,
    });
    expect(event).toMatchObject({ type: 'data_updated', payload: { source: 'crm', records: 3 } });
    const [delivery] = mock.deliveries();
    expect(delivery?.attempts.map((attempt) => attempt.status)).toEqual([500, 204]);
    const told = await running.line(/"status":204/);
    expect(JSON.parse(told)).toMatchObject({ event: 'data_updated', id: event.id, status: 204 });

    running.child.kill('SIGINT');
    expect(await running.ended).toBe(0);
    const client = new ContentGen({ baseUrl: url, apiKey: mock.adminKey });
    expect((await client.webhooks.list()).data).toEqual([]);
  });

  test('a receiver that is down is a failed attempt, and told', async () => {
    const { mock, url } = await served();
    const running = start(['listen', '--forward-to', await closedUrl(), '--url', url]);
    await running.line(/webhookUrl/);
    mock.trigger('invoice_paid');
    await mock.settle();
    expect(await running.line(/ECONNREFUSED/)).toMatch(
      /^invoice_paid {2}msg_\w+ {2}→ ECONNREFUSED/,
    );
    while (mock.deliveries()[0]?.attempts.length === 0) await new Promise(setImmediate);
    expect(mock.deliveries()[0]).toMatchObject({ status: 'pending', attempts: [{ status: 502 }] });
  });
});

describe('contentgen doctor', () => {
  const doctor = async (...args: string[]) => {
    const { code, out } = await invoke(['doctor', ...args, '--json']);
    const { ok, findings } = JSON.parse(out) as {
      ok: boolean;
      findings: { check: string; verdict: string; detail: string }[];
    };
    expect(ok).toBe(code === 0);
    const of = (check: string) => findings.find((finding) => finding.check === check);
    return { code, of, checks: findings.map(({ check, verdict }) => `${check} ${verdict}`) };
  };

  test('finds nothing wrong where nothing is', async () => {
    const { mock, url } = await served();
    const { code, checks } = await doctor(
      ...['--url', url, '--api-key', mock.memberKey, '--secret', mock.signingSecret],
    );
    expect({ code, checks }).toEqual({
      code: 0,
      checks: ['server ok', 'clock ok', 'key ok', 'secret ok'],
    });
  });

  test('takes what is not given from the environment, and says what it skipped', async () => {
    const { mock, url } = await served();
    const { code, out } = await invoke(['doctor'], {
      CONTENTGEN_BASE_URL: `${url}/v2`,
      CONTENTGEN_API_KEY: mock.memberKey,
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^✓ server .*\n✓ clock .*\n✓ key .*\n- secret .*--secret/);
  });

  test.each([
    ['cg_test_abc', /401 invalid_api_key\. A key is cg_live_ or cg_test_ and 49/],
    [SECRET, /It is a webhook signing secret/],
    [' cg_test_abc', /white space/],
  ])('explains the key %j', async (key, detail) => {
    const { url } = await served();
    const { code, of } = await doctor('--url', url, '--api-key', key);
    expect(code).toBe(1);
    expect(of('key')).toMatchObject({ verdict: 'wrong', detail: expect.stringMatching(detail) });
    expect(of('key')?.detail).not.toContain(key);
  });

  test.each(['hunter2', 'whsec_???', 'cg_test_abc'])('explains the secret %j', async (secret) => {
    const { url } = await served();
    const { code, of } = await doctor('--url', url, '--secret', secret);
    expect(code).toBe(1);
    expect(of('secret')?.detail).toContain('whsec_ + base64 of 24 to 64 bytes');
    expect(of('secret')?.detail).not.toContain(secret);
  });

  test('tells a server that is down, one that is another, and a clock that is off', async () => {
    expect((await doctor('--url', await closedUrl())).of('server')?.detail).toContain(
      'ECONNREFUSED',
    );
    const other = createServer((request, response) => {
      if (request.url?.startsWith('/v2')) {
        response.writeHead(401, { date: new Date(Date.now() - 900_000).toUTCString() }).end();
      } else response.writeHead(200).end('hello');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect((await doctor('--url', url)).of('server')?.detail).toContain('answered 200 where 401');
    expect((await doctor('--url', `${url}/v2`)).of('clock')).toMatchObject({
      verdict: 'wrong',
      detail: expect.stringMatching(
        /^This machine is 90[01] s ahead of the server: every signature/,
      ),
    });
  });

  describe('with a saved request', () => {
    const body = '{"event":"data_updated","organization":"org_1","source":"crm"}';

    async function saved(facts: { body?: string; secret?: string; timestamp?: number } = {}) {
      const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const headers = await signWebhook({
        id: 'msg_1',
        timestamp: facts.timestamp ?? Math.floor(Date.now() / 1000),
        body,
        secret: facts.secret ?? SECRET,
      });
      const lines = ['POST /hooks HTTP/1.1', 'Host: app.example', ''];
      for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
      writeFileSync(join(folder, 'lines'), lines.join('\r\n'));
      writeFileSync(join(folder, 'json'), JSON.stringify(headers));
      writeFileSync(join(folder, 'body'), facts.body ?? body);
      return (format: 'lines' | 'json' = 'lines') => [
        ...['--headers', join(folder, format), '--body', join(folder, 'body')],
        ...['--secret', SECRET],
      ];
    }

    test.each(['lines', 'json'] as const)('as %s, one that holds is told so', async (format) => {
      const { code, checks, of } = await doctor(...(await saved())(format));
      expect({ code, checks }).toEqual({
        code: 0,
        checks: ['secret ok', 'timestamp ok', 'signature ok'],
      });
      expect(of('signature')?.detail).toBe('It holds: data_updated msg_1');
    });

    test('its age is no reason to fail, but is told', async () => {
      const { code, of } = await doctor(...(await saved({ timestamp: 1_700_000_000 }))());
      expect(code).toBe(0);
      expect(of('timestamp')?.detail).toMatch(
        /^Sent 2023-11-14T22:13:20.000Z, \d+ s ago; now it would be refused/,
      );
    });

    test('a body that was parsed and written again is diagnosed', async () => {
      const reformatted = JSON.stringify(JSON.parse(body), null, 2);
      const { code, of } = await doctor(...(await saved({ body: reformatted }))());
      expect(code).toBe(1);
      expect(of('signature')?.detail).toMatch(/^signature_mismatch\. .*(?:JSON|parsed|raw)/);
    });

    test('another secret is told apart from another body', async () => {
      const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
      const { of } = await doctor(...(await saved({ secret: other }))());
      expect(of('signature')?.detail).toMatch(/^signature_mismatch\. .*secret/);
      expect(of('signature')?.detail).not.toContain(SECRET);
    });

    test('without the secret it cannot be checked', async () => {
      const args = (await saved())().slice(0, -2);
      const { of } = await doctor(...args);
      expect(of('signature')).toMatchObject({ verdict: 'skipped' });
    });
  });
});
