import { describe, expect, test } from 'vitest';
import { signWebhook } from '../../../src/webhooks/index.ts';
import { freePort } from '../../support/free-port.ts';
import { serve } from '../../support/sockets.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { invoke, served } from './invoke.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

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

  test('passes a working deployment; only an admin key compares the secret with the one of the project', async () => {
    const { mock, url } = await served();
    const check = (key: string, secret: string) =>
      doctor('--url', url, '--api-key', key, '--secret', secret);
    const asMember = await check(mock.memberKey, mock.signingSecret);
    const checks = ['server ok', 'clock ok', 'key ok', 'secret ok'];
    expect(asMember).toMatchObject({ code: 0, checks });
    const right = await check(mock.adminKey, mock.signingSecret);
    expect(right.code).toBe(0);
    expect(right.of('secret')?.detail).toBe("It is the project's signing secret");
    const wrong = await check(mock.adminKey, SECRET);
    expect(wrong.code).toBe(1);
    expect(wrong.of('secret')).toMatchObject({
      verdict: 'wrong',
      detail: expect.stringMatching(/^The secret is not the project's signing secret/),
    });
    for (const secret of [SECRET, mock.signingSecret]) {
      expect(wrong.of('secret')?.detail).not.toContain(secret);
    }
  });

  test('reads missing flags from the environment, and reports what it skipped', async () => {
    const { mock, url } = await served();
    const { code, out } = await invoke(['doctor'], {
      CONTENTGEN_BASE_URL: `${url}/v2`,
      CONTENTGEN_API_KEY: mock.memberKey,
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^✓ server .*\n✓ clock .*\n✓ key .*\n- secret .*--secret/);
  });

  test.each([
    ['key', 'cg_test_abc', /401 invalid_api_key\. A key is cg_live_ or cg_test_ and 49/],
    ['key', SECRET, /This is a webhook signing secret/],
    ['key', ' cg_test_abc', /white space/],
    ['secret', 'hunter2', /does not start with whsec_/],
    ['secret', 'whsec_???', /is not valid base64/],
    ['secret', 'cg_test_abc', /is an API key/],
  ])('explains the %s %j', async (kind, given, problem) => {
    const { url } = await served();
    const flag = kind === 'key' ? '--api-key' : '--secret';
    const { code, of } = await doctor('--url', url, flag, given);
    expect(code).toBe(1);
    expect(of(kind)).toMatchObject({ verdict: 'wrong', detail: expect.stringMatching(problem) });
    expect(of(kind)?.detail).not.toContain(given);
  });

  test('detects a server that is down, a different server, and a wrong clock', async () => {
    const down = await doctor('--url', `http://127.0.0.1:${await freePort()}`);
    expect(down.of('server')?.detail).toContain('ECONNREFUSED');
    const url = await serve((request, response) => {
      if (request.url?.startsWith('/v2')) {
        response.writeHead(401, { date: new Date(Date.now() - 900_000).toUTCString() }).end();
      } else response.writeHead(200).end('hello');
    });
    expect((await doctor('--url', url)).of('server')?.detail).toMatch(
      /responded with 200 instead of 401 .* Check that this is the API's base URL\.$/,
    );
    const generate = `${url}/api/ai/content/generate`;
    expect((await doctor('--url', generate)).of('server')?.detail).toMatch(
      / Remove \/api and all that follows from baseUrl: every path begins with it\.$/,
    );
    const began = Date.now();
    const { verdict, detail = '' } = (await doctor('--url', `${url}/v2`)).of('clock') ?? {};
    expect(verdict).toBe('wrong');
    const [, ahead] =
      /^This machine is (\d+) s ahead of the server: every signature/.exec(detail) ?? [];
    expect(Number(ahead)).toBeGreaterThanOrEqual(900);
    expect(Number(ahead)).toBeLessThanOrEqual(901 + Math.ceil((Date.now() - began) / 1000));
  });

  describe('with a saved request', () => {
    const body = '{"event":"data_updated","organization":"org_1","source":"crm"}';

    async function saved(facts: { body?: string; secret?: string; timestamp?: number } = {}) {
      const { timestamp = Math.floor(Date.now() / 1000), secret = SECRET } = facts;
      const headers = await signWebhook({ id: 'msg_1', timestamp, body, secret });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const texts = {
        lines: ['POST /hooks HTTP/1.1', 'Host: app.example', '', ...lines].join('\r\n'),
        json: JSON.stringify(headers),
      };
      return (format: 'lines' | 'json' = 'lines') => [
        ...['--headers', temporaryFile('headers', texts[format])],
        ...['--body', temporaryFile('body', facts.body ?? body), '--secret', SECRET],
      ];
    }

    test.each(['lines', 'json'] as const)(
      'with headers as %s, a valid signature is confirmed',
      async (format) => {
        const { code, checks, of } = await doctor(...(await saved())(format));
        expect({ code, checks }).toEqual({
          code: 0,
          checks: ['secret ok', 'timestamp ok', 'signature ok'],
        });
        expect(of('signature')?.detail).toBe('Valid: data_updated msg_1');
      },
    );

    test('its age is reported, but is not a failure', async () => {
      const { code, of } = await doctor(...(await saved({ timestamp: 1_700_000_000 }))());
      expect(code).toBe(0);
      expect(of('timestamp')?.detail).toMatch(
        /^Sent 2023-11-14T22:13:20.000Z, \d+ s ago; a receiver would reject it now/,
      );
    });

    test('what changed the body is one line, which names the page with the advice for each framework', async () => {
      const args = (await saved({ body: JSON.stringify(JSON.parse(body), null, 2) }))();
      const { code, of } = await doctor(...args);
      expect(code).toBe(1);
      expect(of('signature')?.detail).toMatch(/^signature_mismatch\. .*(?:JSON|parsed|raw)/);
      expect((await invoke(['doctor', ...args])).out).toMatch(
        /^✗ signature .* \[body_changed\]\. See docs\/signature-does-not-verify\.md\.$/m,
      );
    });

    test('a different secret is distinguished from a changed body', async () => {
      const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
      const { of } = await doctor(...(await saved({ secret: other }))());
      expect(of('signature')?.detail).toMatch(/^signature_mismatch\. .*secret/);
      expect(of('signature')?.detail).not.toContain(SECRET);
    });

    test('a secret that verifies it is right, although it is the one of a registration, not of the project', async () => {
      const { mock, url } = await served();
      const args = [...(await saved())(), '--url', url, '--api-key', mock.adminKey];
      const { code, checks, of } = await doctor(...args);
      expect([code, ...checks.slice(3)]).toEqual([0, 'secret ok', 'timestamp ok', 'signature ok']);
      expect(of('secret')?.detail).toMatch(/^It signed the saved delivery, but is not the project/);
    });

    test('without the secret the signature check is skipped', async () => {
      const args = (await saved())().slice(0, -2);
      const { of } = await doctor(...args);
      expect(of('signature')).toMatchObject({ verdict: 'skipped' });
    });
  });
});
