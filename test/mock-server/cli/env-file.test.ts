import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { startMock } from './command.ts';
import { invoke } from './invoke.ts';

const hasSqlite = Boolean(process.getBuiltinModule('node:sqlite'));

test('--write-env keeps the other lines of a file, replaces its own, drops a control token that is no longer asked for, and closes it and the data file to others', async () => {
  const text =
    'PORT=3000\nCONTENTGEN_API_KEY=one\n# A\nCONTENTGEN_CONTROL_TOKEN=old\nexport CONTENTGEN_API_KEY=two';
  const [file, data] = [temporaryFile('.env', text), temporaryFile('data.db', '')];
  for (const path of [file, data]) chmodSync(path, 0o644);
  const { mock } = await startMock(['--write-env', file, ...(hasSqlite ? ['--data', data] : [])]);
  expect(readFileSync(file, 'utf8').split('\n')).toEqual([
    'PORT=3000',
    `CONTENTGEN_API_KEY=${mock.adminKey}`,
    '# A',
    `CONTENTGEN_BASE_URL=${mock.url}`,
    `CONTENTGEN_WEBHOOK_SECRET=${mock.signingSecret}`,
    '',
  ]);
  for (const path of hasSqlite ? [file, data] : [file]) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

test('--write-env writes a new file with the variables that clients, receivers and commands read, for its owner only', async () => {
  const file = temporaryFile('.env');
  const token = 'token-of-a-control-api';
  const { mock } = await startMock(['--write-env', file, '--control-token', token]);
  expect(readFileSync(file, 'utf8').split('\n').toSorted()).toEqual([
    '',
    `CONTENTGEN_API_KEY=${mock.adminKey}`,
    `CONTENTGEN_BASE_URL=${mock.url}`,
    `CONTENTGEN_CONTROL_TOKEN=${token}`,
    `CONTENTGEN_WEBHOOK_SECRET=${mock.signingSecret}`,
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await invoke(['keys', 'list', '--env-file', file])).toMatchObject({ code: 0 });
});

test('--write-env refuses a path that cannot be written, and a symbolic link, and leaves no server behind', async () => {
  const port = `${await freePort()}`;
  const [target, link] = [temporaryFile('target'), temporaryFile('.env')];
  symlinkSync(target, link);
  const missing = join(dirname(target), 'no', 'such', '.env');
  for (const [path, message] of [
    [missing, `Failed to write ${missing} (ENOENT).`],
    [link, 'is a symbolic link'],
  ] as const) {
    const { code, err } = await invoke(['mock', '--port', port, '--write-env', path]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  }
  expect(existsSync(target)).toBe(false);
});

test('--save names a folder that does not exist before anything is called', async () => {
  const args = ['conform', '--base-url', 'http://127.0.0.1:9', '--api-key', 'a'.repeat(20)];
  for (const folder of ['/none', temporaryFile('a-file', '')]) {
    const { code, err } = await invoke([...args, '--save', join(folder, 'deployment.json')]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('does not exist') });
  }
});

test('--save overwrites nothing but a deployment', async () => {
  for (const text of ['{ "name": "app", "scripts": {} }', '[]', 'not JSON']) {
    const file = temporaryFile('given-only', text);
    for (const args of [
      ['conform', '--base-url', 'http://127.0.0.1:9', '--api-key', 'a'.repeat(20)],
      ['doctor', '--url', 'http://127.0.0.1:9'],
    ]) {
      const { code } = await invoke([...args, '--save', file]);
      expect({ args, code, text: readFileSync(file, 'utf8') }).toEqual({ args, code: 2, text });
    }
  }
});
