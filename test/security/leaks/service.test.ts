import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectMock } from 'contentgen/mock/remote';
import { expect, test } from 'vitest';
import { logStreams } from '../../../mock-server/control-api/log-stream.ts';
import { startMock } from '../../mock-server/cli/command.ts';
import { contractServer, GENERATE } from '../../mock-server/service/helpers.ts';
import { serve } from '../../support/sockets.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { canaries } from './canaries.ts';
import { findLeaks } from './find-leaks.ts';
import { spell } from './spell.ts';

const { prompt, 'access token': token } = canaries;
const [hooks, callbacks] = ['https://app.example/hooks', 'https://app.example/callbacks'];

/** Sends a secret in every place of a request that is not its own. */
async function misplace(
  call: (method: string, path: string, body?: unknown, options?: object) => Promise<unknown>,
  secret: string,
) {
  for (const spelled of [spell['for a URL'], spell['for a URL, whole']]) {
    const text = spelled?.(secret) ?? '';
    await call('GET', `/api/usage?cursor=${text}&${text}=1`);
    await call('DELETE', `/api/webhooks/${text}`);
    await call('GET', `/${text}?access_token=${text}`, undefined, { key: null });
  }
  await call('GET', '/api/usage', undefined, { key: secret });
  await call('GET', '/api/usage', undefined, {
    key: null,
    headers: { authorization: `Bearer ${secret}`, 'x-request-id': secret },
  });
  await call('POST', GENERATE, { prompt: `[[fail: ${secret}]]`, model: secret, [secret]: secret });
  await call('POST', GENERATE, { prompt: secret, seed: secret });
  await call('POST', '/api/webhooks', { event: secret, url: `http://${secret}@a.example/` });
  await call('POST', '/api/auth/api-keys', { name: 'n', role: secret, expiresAt: secret });
}

test.each(Object.entries(spell))(
  'what a receiver knows is in no log and no stream, if it responds with it %s',
  async (_, spelled) => {
    const warnings: string[] = [];
    const { mock, ok } = contractServer({ onWarning: (sentence) => warnings.push(sentence) });
    const hook = await ok<{ id: string; secret: string }>('POST', '/api/webhooks', {
      ...{ event: 'data_updated', url: hooks, token },
    });
    const known = { 'signing secret': mock.signingSecret, 'hook secret': hook.secret, token };
    const page = logStreams(mock).open();
    const read = readAll(page);
    for (const secret of [hook.secret, token]) {
      mock.receivers.set(hooks, () => echo(spelled(secret)));
      mock.trigger('data_updated');
      await mock.settle();
    }
    mock.receivers.set(callbacks, () => echo(spelled(mock.signingSecret)));
    await ok('POST', GENERATE, { prompt: 'p', webhookUrl: callbacks });
    await mock.settle();
    const [{ id = '' } = {}] = mock.deliveries();
    const outputs = {
      logs: JSON.stringify([mock.requests(), mock.events(), mock.deliveries()]),
      deliveries: JSON.stringify([
        await ok('GET', `/api/webhooks/${hook.id}/deliveries`),
        await ok('GET', `/api/webhooks/${hook.id}`),
        await ok('GET', '/api/webhooks'),
        id,
      ]),
      warnings,
      page: await read(),
    };
    expect(outputs.page.length).toBeGreaterThan(3);
    expect(findLeaks(outputs, known)).toEqual([]);
  },
);

/** In the body, and in headers that can carry it. */
function echo(text: string): Response {
  const body = `{"error":{"code":"${text}","message":"got ${text}"},"${text}":1}`;
  return new Response(body, {
    status: 400,
    headers: /^[ -~]*$/.test(text) ? { 'x-secret': text, location: `/?${text}`, etag: text } : {},
  });
}

/** Reads a stream until the returned function is called. */
function readAll(response: Response): () => Promise<string[]> {
  const texts: string[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const pump = async (): Promise<void> => {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) return;
    texts.push(value ?? '');
    return pump();
  };
  const ended = pump();
  return async () => {
    await new Promise(setImmediate);
    await reader?.cancel();
    await ended;
    return texts;
  };
}

test('our own keys and secrets are in no log, wherever a caller puts them', async () => {
  // Its signing secret has a slash, which is escaped in a JSON Pointer.
  const { mock, call, ok } = contractServer({ seed: 4 });
  const made = {
    'admin key': mock.adminKey,
    'member key': mock.memberKey,
    'signing secret': mock.signingSecret,
    'user token': await mock.issueToken({ role: 'member' }),
    'rotated secret': (
      await ok<{ secret: string }>('POST', '/api/webhooks/signing-secret/rotate', {})
    ).secret,
  };
  expect(made['signing secret'].slice(20)).toContain('/');
  for (const secret of Object.values(made)) {
    await misplace(call, secret);
    await call('POST', GENERATE, { prompt: 'p', metadata: { [secret]: 'v', note: secret } });
    await call('POST', '/api/auth/api-keys', { name: 'n', [secret]: [{ deep: secret }] });
    await call('POST', '/api/webhooks', {
      event: 'data_updated',
      url: 'https://a.example',
      secret,
    });
  }
  await mock.settle();
  const logs = JSON.stringify([mock.requests(), mock.events(), mock.deliveries()]);
  const answers = [
    await ok('GET', '/api/auth/api-keys'),
    await ok('GET', '/api/webhooks'),
    await ok('GET', '/api/usage'),
  ];
  expect(findLeaks({ logs, answers: JSON.stringify(answers) }, made)).toEqual([]);
});

/**
 * What a server prints at its start, and what its file must hold to sign: everything else is a leak. A key is in the file
 * only as its hash.
 */
const allowed = [
  /^stdout: (admin key|member key|signing secret) /,
  /^file: (signing secret|hook secret|webhook token) /,
];

test('a served mock with --log-bodies=false writes no key, prompt or body', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'contentgen.db');
  const control = canaries['control token'];
  const { mock, stdout, stderr, child, ended } = await startMock(
    ['--data', data, '--log-bodies', 'false'],
    { CONTENTGEN_CONTROL_TOKEN: control },
  );
  const key = mock.adminKey ?? '';
  const call = async (method: string, path: string, body?: unknown, options: object = {}) => {
    const { key: given = key, headers = {} } = options as {
      key?: string | null;
      headers?: object;
    };
    const response = await fetch(mock.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(given !== null && { 'x-api-key': given }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.text();
  };
  const url = await hostileReceiver([mock.signingSecret, token]);
  const hook = JSON.parse(
    await call('POST', '/api/webhooks', { event: 'data_updated', url, token }),
  );
  const created = JSON.parse(await call('POST', '/api/auth/api-keys', { name: 'n' }));
  for (const secret of [key, mock.signingSecret]) await misplace(call, secret);
  await call('GET', `/_control/clock?token=${control}`, undefined, { key: control });
  await call('POST', GENERATE, { prompt, webhookUrl: url });
  await call('POST', GENERATE, { prompt });
  const remote = connectMock(mock.url, { token: control });
  await remote.trigger('data_updated');
  await remote.trigger('data_updated', { records: 2 });
  await expect.poll(async () => (await remote.deliveries()).length).toBeGreaterThan(2);
  const logs = JSON.stringify([await remote.requests(), await remote.events()]);
  child.kill('SIGTERM');
  await ended;
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  const known = {
    'admin key': key,
    'member key': mock.memberKey ?? '',
    'created key': created.key,
    'signing secret': mock.signingSecret,
    'hook secret': hook.secret,
    'webhook token': token,
    'control token': control,
    prompt,
  };
  const outputs = { stdout: stdout(), stderr: stderr(), logs, file: files };
  const leaks = findLeaks(outputs, known);
  expect(leaks.filter((leak) => !allowed.some((place) => place.test(leak)))).toEqual([]);
  expect(leaks).toContainEqual(expect.stringMatching(/^file: signing secret /));
});

/** Responds with what it was not to keep, in another spelling each time. */
async function hostileReceiver(secrets: readonly string[]): Promise<string> {
  const spelled = Object.values(spell).flatMap((write) => secrets.map(write));
  return `${await serve((request, response) => {
    request.resume();
    response.writeHead(422, { 'content-type': 'application/json' });
    response.end(`{"code":"${spelled.join(' ')}","error":"${spelled.reverse().join('\\n')}"}`);
  })}/hooks`;
}
