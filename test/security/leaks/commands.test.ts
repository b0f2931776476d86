import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { invoke } from '../../mock-server/cli/invoke.ts';
import { canaries } from './canaries.ts';
import { findLeaks } from './find-leaks.ts';
import { spell } from './spell.ts';

const {
  'foreign key': key,
  'webhook secret': secret,
  'control token': controlToken,
  'access token': token,
} = canaries;

/** Puts what it was sent in every place of its responses. */
async function echoing(text: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    const row = `"id":"${text}","status":"${text}","role":"${text}","hint":"${text}","name":"${text}","event":"${text}","url":"${text}","${text}":"${text}","requestId":"${text}","result":"${text}","model":"${text}"`;
    response.writeHead(
      request.url?.includes('/trigger') || Number(request.url?.length) % 2 ? 200 : 422,
      {
        'content-type': 'application/json',
        'x-contentgen-mock': '1',
        ...(/^[ -~]*$/.test(text) && {
          'x-request-id': text,
          [`x-${text.replace(/\W/g, '')}`]: text,
        }),
      },
    );
    response.end(
      `{${row},"code":"${text}","detail":"${text}","message":"${text}","errors":[{${row},"pointer":"/${text}"}],"items":[{${row}}],"data":[{${row}}],"nextCursor":null}`,
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const conform = (url: string) => [
  'conform',
  '--api-key',
  key,
  '--timeout',
  '0.2',
  '--base-url',
  url,
];

/** Each command that sends a secret somewhere, with that secret. */
const lines: readonly [string, (url: string, folder: string) => readonly string[]][] = [
  [key, (url) => ['doctor', '--api-key', key, '--url', url]],
  [key, (url) => ['doctor', '--json', '--api-key', key, '--secret', secret, '--url', url]],
  [key, (url) => ['keys', 'list', '--api-key', key, '--url', url]],
  [key, (url) => ['keys', 'revoke', 'key_1', '--api-key', key, '--url', url]],
  [key, (url) => ['redeliver', '--since', '1 hour', '--api-key', key, '--url', url]],
  [
    controlToken,
    (url) => ['trigger', 'usage_threshold', '--control-token', controlToken, '--url', url],
  ],
  [
    controlToken,
    (url) => [
      'trigger',
      'usage_threshold',
      '--json',
      '--control-token',
      controlToken,
      '--url',
      url,
    ],
  ],
  [secret, (url) => ['audit', url, '--secret', secret]],
  [token, (url) => ['audit', url, '--secret', secret, '--token', token, '--json']],
  [key, (url) => ['audit', url, '--secret', secret, '--url', url, '--api-key', key]],
  [key, (url, folder) => [...conform(url), '--save', join(folder, 'saved.json')]],
  [key, (url) => [...conform(url), '--json', '--allow-writes']],
];

test.each(Object.entries(spell))(
  'no command prints or saves what it was given, when a service quotes it %s',
  async (_, spelled) => {
    const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const written: Record<string, string> = {};
    for (const [given, line] of lines) {
      const url = await echoing(spelled(given));
      const { out, err } = await invoke(line(url, folder));
      written[
        line('URL', '.')
          .join(' ')
          .replaceAll(/\S{30,}/g, '…')
      ] = `${out}\n${err}`;
    }
    for (const name of readdirSync(folder))
      written[name] = readFileSync(join(folder, name), 'utf8');
    expect(Object.values(written).join('').length).toBeGreaterThan(1000);
    expect(findLeaks(written, canaries)).toEqual([]);
  },
  120_000,
);

test('a saved delivery is explained without its secret or body', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [headers, body] = [join(folder, 'request.headers'), join(folder, 'request.body')];
  writeFileSync(
    headers,
    `webhook-id: 1\nwebhook-timestamp: 1\nwebhook-signature: v1,${secret}\nx-key: ${key}\n`,
  );
  writeFileSync(body, JSON.stringify({ prompt: canaries.prompt, key }));
  const { out, err } = await invoke([
    'doctor',
    '--secret',
    secret,
    '--headers',
    headers,
    '--body',
    body,
  ]);
  expect(findLeaks({ out, err }, canaries)).toEqual([]);
});
