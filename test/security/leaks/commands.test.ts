import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { invoke } from '../../mock-server/cli/invoke.ts';
import { serve } from '../../support/sockets.ts';
import { temporaryFile, temporaryFolder } from '../../support/temporary.ts';
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
function echoing(text: string): Promise<string> {
  const row = `"id":"${text}","status":"${text}","role":"${text}","hint":"${text}","name":"${text}","event":"${text}","url":"${text}","${text}":"${text}","requestId":"${text}","result":"${text}","model":"${text}"`;
  const headers = {
    'content-type': 'application/json',
    'x-contentgen-mock': '1',
    'x-request-id': text,
    [`x-${text.replace(/\W/g, '')}`]: text,
  };
  return serve((request, response) => {
    request.resume();
    const accepts = request.url?.includes('/trigger') || Number(request.url?.length) % 2;
    response.writeHead(accepts ? 200 : 422, headers);
    response.end(
      `{${row},"code":"${text}","detail":"${text}","message":"${text}","errors":[{${row},"pointer":"/${text}"}],"items":[{${row}}],"data":[{${row}}],"nextCursor":null}`,
    );
  });
}

/** Each command that sends secrets somewhere, with those that a service quotes. */
const lines: readonly [quoted: readonly string[], line: string][] = [
  [[key], `doctor --api-key ${key} --url URL`],
  [[key], `doctor --json --api-key ${key} --secret ${secret} --url URL`],
  [[key], `keys list --api-key ${key} --url URL`],
  [[key], `keys revoke key_1 --api-key ${key} --url URL`],
  [[key], `redeliver --since 1h --api-key ${key} --url URL`],
  [[controlToken], `trigger usage_threshold --control-token ${controlToken} --url URL`],
  [[controlToken], `trigger usage_threshold --json --control-token ${controlToken} --url URL`],
];

/** The same of the slowest. Each spelling is quoted to one of them, in turns. */
const slow: typeof lines = [
  [[key], `conform --api-key ${key} --timeout 1 --base-url URL --save FOLDER/saved.json`],
  [[key], `conform --api-key ${key} --timeout 1 --base-url URL --json --allow-writes`],
  ...['audit URL', 'audit URL --json'].map((line): (typeof lines)[number] => [
    [secret, token, key],
    `${line} --secret ${secret} --token ${token} --url URL --api-key ${key}`,
  ]),
];

test.each(Object.entries(spell).map(([how, spelled], index) => ({ how, spelled, index })))(
  'no command prints or saves what it was given, when a service quotes it $how',
  async ({ spelled, index }) => {
    const folder = temporaryFolder();
    const written: Record<string, string> = {};
    for (const [quoted, line] of [...lines, ...slow.slice(index % 4, (index % 4) + 1)]) {
      const url = await echoing(quoted.map(spelled).join(' '));
      const words = line.replaceAll('URL', url).replace('FOLDER', folder).split(' ');
      const { out, err } = await invoke(words);
      expect(err).not.toContain('--help');
      written[line.replaceAll(/\S{30,}/g, '…')] = `${out}\n${err}`;
    }
    for (const name of readdirSync(folder))
      written[name] = readFileSync(join(folder, name), 'utf8');
    expect(Object.values(written).join('').length).toBeGreaterThan(1000);
    expect(findLeaks(written, canaries)).toEqual([]);
  },
  120_000,
);

test('a saved delivery is explained without its secret or body', async () => {
  const signed = `webhook-id: 1\nwebhook-timestamp: 1\nwebhook-signature: v1,${secret}\n`;
  const headers = temporaryFile('request.headers', `${signed}x-key: ${key}\n`);
  const body = temporaryFile('request.body', JSON.stringify({ prompt: canaries.prompt, key }));
  const line = `doctor --secret ${secret} --headers ${headers} --body ${body}`;
  const { out, err } = await invoke(line.split(' '));
  expect(findLeaks({ out, err }, canaries)).toEqual([]);
});
