import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler, verifyWebhook } from '../../../src/webhooks/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
import { temporaryFile } from '../stores/temporary-file.ts';
import { start, startMock } from './command.ts';
import { attempted, invoke, served } from './invoke.ts';
import { closedUrl, receiver } from './receiver.ts';

const OTHER_SECRET = `whsec_${'B'.repeat(32)}`;

test('forwards the original bytes and signature, responds as the receiver did, and cleans up', async () => {
  const { mock, url } = await served();
  let status = 500;
  const hooks = await receiver(() => status);
  const args = ['--forward-to', hooks.url, '--url', url, '--event', 'data_updated', '--json'];
  const running = start(['listen', ...args]);
  const { listening, webhooks, secret } = JSON.parse(await running.line());
  expect(listening).toMatch(/^https:\/\/listen\.contentgen\.test\/\w+$/);
  expect(webhooks).toHaveLength(1);
  expect(secret).toBe(mock.signingSecret);

  mock.trigger('data_updated', { source: 'crm', records: 3 });
  await mock.settle();
  await attempted(mock, 1);
  status = 204;
  await mock.clock.advance('1 minute');
  await attempted(mock, 2);
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
  const reported = await running.line(/"status":204/);
  expect(JSON.parse(reported)).toMatchObject({ event: 'data_updated', id: event.id, status: 204 });

  running.child.kill('SIGINT');
  expect(await running.ended).toBe(0);
  const client = new ContentGen({ baseUrl: url, apiKey: mock.adminKey });
  expect((await client.webhooks.list()).data).toEqual([]);
});

test('receives result callbacks at the address that it prints', async () => {
  const { mock, url } = await served();
  const hooks = await receiver();
  const running = start(['listen', '--forward-to', hooks.url.slice('http://'.length)], {
    CONTENTGEN_BASE_URL: `${url}/v2`,
  });
  const [, webhookUrl = ''] = /pass (\S+) as/.exec(await running.line(/webhookUrl/)) ?? [];
  const client = new ContentGen({ baseUrl: url, apiKey: mock.memberKey });
  await client.content.generate({ prompt: 'A haiku', webhookUrl });
  await mock.settle();
  expect(await running.line(/generation_completed/)).toContain('→ 200');
  expect(JSON.parse(String(hooks.got[0]?.body)).status).toBe('completed');
});

test('a receiver that is down is reported with what to do, and counts as a failed attempt', async () => {
  const { mock, url } = await served();
  const target = await closedUrl();
  const running = start(['listen', '--forward-to', target, '--url', url]);
  await running.line(/webhookUrl/);
  mock.trigger('invoice_paid');
  await mock.settle();
  expect(await running.line(/→/)).toMatch(/^invoice_paid {2}msg_\w+ {2}→ refused/);
  expect(await running.line(/nothing is listening/)).toContain('Start your server');
  await attempted(mock, 1);
  const [attempt] = mock.deliveries()[0]?.attempts ?? [];
  expect(attempt).toMatchObject({
    status: 502,
    response: `contentgen listen failed to reach ${target}: The connection was refused: nothing is listening there.`,
  });
});

test('a receiver with another secret is reported with its code and the advice', async () => {
  const { mock, url } = await served();
  const handler = createWebhookHandler({
    secret: OTHER_SECRET,
    now: mock.clock.now,
    diagnose: false,
  });
  const server = createServer(toNodeHandler(handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const running = start(['listen', '--forward-to', target, '--url', url]);
  await running.line(/webhookUrl/);
  mock.trigger('data_updated');
  await mock.settle();
  expect(await running.line(/→ 4/)).toContain('→ 400 signature_mismatch');
  expect(await running.line(/signing secret of this server\?/)).toContain('contentgen doctor');
});

test('survives a killed server: it reconnects, and its registrations and their deliveries continue', async () => {
  const file = temporaryFile();
  const first = await startMock(['--data', file]);
  const { url, adminKey } = first.mock;
  const hooks = await receiver();
  const running = start(['listen', '--forward-to', hooks.url, '--url', url, '--json']);
  const { webhooks } = JSON.parse(await running.line());
  first.child.kill('SIGKILL');
  await first.ended;
  await startMock(['--data', file, '--port', new URL(url).port]);
  await running.errLine(/^Reconnected/);

  const client = new ContentGen({ baseUrl: url, apiKey: adminKey ?? '' });
  const { data } = await client.webhooks.list();
  expect(data.map(({ id }) => id).sort()).toEqual([...webhooks].sort());
  await connectMock(url).trigger('data_updated');
  expect(JSON.parse(await running.line(/data_updated/))).toMatchObject({ status: 200 });
});

test('prints the new secret of a server that lost its data when it restarted', async () => {
  const first = await startMock();
  const { port } = new URL(first.mock.url);
  const hooks = await receiver();
  const running = start(['listen', '--forward-to', hooks.url, '--url', first.mock.url]);
  await running.line(new RegExp(`^Signing secret: ${literally(first.mock.signingSecret)}$`));
  first.child.kill('SIGTERM');
  await first.ended;
  const second = await startMock(['--port', port]);
  await running.line(new RegExp(`^Signing secret: ${literally(second.mock.signingSecret)}$`));
  expect(running.stderr()).toContain('Reconnected');
});

const literally = (text: string) => text.replace(/[+/]/g, '\\$&');

test('prints the new signing secret when the old one is rotated', async () => {
  const { mock, url } = await served();
  const hooks = await receiver();
  const args = ['listen', '--forward-to', hooks.url, '--url', url, '--event', 'data_updated'];
  const [text, json] = [start(args), start([...args, '--json'])];
  await Promise.all([text.line(/webhookUrl/), json.line()]);
  const client = new ContentGen({ baseUrl: url, apiKey: mock.adminKey });
  const { secret, previousExpiresAt } = await client.webhooks.rotateSigningSecret();
  await text.line(new RegExp(`^Signing secret: ${literally(secret)}$`));
  expect(await text.line(/rotated/)).toBe(
    `The signing secret was rotated. Until ${previousExpiresAt}, the previous one signs too.`,
  );
  expect(JSON.parse(await json.line(/rotated/))).toEqual({
    rotated: true,
    secret,
    previousExpiresAt,
  });
  mock.trigger('data_updated');
  await mock.settle();
  await vi.waitUntil(() => hooks.got.length === 2);
  for (const { headers, body } of hooks.got) {
    await verifyWebhook({ headers, body, secret, now: mock.clock.now });
  }
  const { secret: last } = await client.webhooks.rotateSigningSecret({
    overlapSeconds: 0,
    force: true,
  });
  await text.line(new RegExp(`^Signing secret: ${literally(last)}$`));
  expect(text.stdout()).toContain(
    'The signing secret was rotated. The previous one no longer signs.',
  );
});

test('prints the new secret of a registration that is rotated by itself, once, and keeps it when it reconnects', async () => {
  const { mock, url } = await served();
  const hooks = await receiver();
  const args = ['listen', '--forward-to', hooks.url, '--url', url, '--name'];
  const [text, json] = [start([...args, 'a']), start([...args, 'b', '--json'])];
  await Promise.all([text.line(/webhookUrl/), json.line()]);
  const client = new ContentGen({ baseUrl: url, apiKey: mock.adminKey });
  const secrets = new Map<string, string>();
  for await (const { id, url: target, event } of client.webhooks.list()) {
    if (event !== 'data_updated') continue;
    const { secret } = await client.webhooks.rotateSecret(id, { overlapSeconds: 0 });
    secrets.set(target.slice(-1), secret);
    if (target.endsWith('b')) {
      expect(JSON.parse(await json.line(/rotated/))).toEqual({
        rotated: true,
        webhook: { id, event },
        secret,
      });
    }
  }
  const line = `Signing secret of data_updated: ${secrets.get('a')}`;
  await text.line(new RegExp(`^${literally(line)}$`));
  expect(text.stdout()).toContain(
    'The secret of data_updated was rotated. The previous one no longer signs.',
  );

  const verified = async (count: number) => {
    hooks.got.splice(0);
    mock.trigger('data_updated');
    await mock.settle();
    await vi.waitUntil(() => hooks.got.length === count);
    const results = await Promise.allSettled(
      hooks.got.flatMap(({ headers, body }) =>
        [...secrets.values()].map((secret) =>
          verifyWebhook({ headers, body, secret, now: mock.clock.now, diagnose: false }),
        ),
      ),
    );
    return results.filter(({ status }) => status === 'fulfilled').length;
  };
  expect(await verified(2)).toBe(2);

  // Another connection under the name takes over the registrations, as a reconnect does.
  const again = start([...args, 'a']);
  await again.line(new RegExp(`^${literally(line)}$`));
  expect(await verified(2)).toBe(2);
  expect(json.stdout().split('rotated')).toHaveLength(2);
});

test('a second listener with the same name ends the first one', async () => {
  const { url } = await served();
  const args = ['listen', '--forward-to', 'localhost:9', '--url', url, '--name', 'mine', '--json'];
  const first = start(args);
  expect(JSON.parse(await first.line()).listening).toBe('https://listen.contentgen.test/mine');
  const second = start(args);
  await second.line();
  expect(await first.ended).toBe(1);
  expect(first.stderr()).toBe(
    'contentgen listen: Another listener with this name has connected. Choose another name with --name.\n',
  );
  second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);
});

test('a secret that the server rejects ends the command with one line', async () => {
  const { url } = await served();
  const args = ['--forward-to', 'localhost:9', '--url', url, '--secret', 'hush'];
  const { code, err } = await invoke(['listen', ...args]);
  expect(code).toBe(1);
  expect(err).toMatch(/^contentgen listen: secret must be whsec_ followed by 24 to 64 bytes/);
  expect(err).not.toContain('hush');
});
