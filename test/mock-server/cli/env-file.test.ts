import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from './command.ts';
import { invoke } from './invoke.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'contentgen-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('--write-env writes the variables that clients and receivers read, for its owner only', async () => {
  const file = join(folder(), '.env');
  const { mock } = await startMock(['--write-env', file]);
  expect(readFileSync(file, 'utf8')).toBe(
    `CONTENTGEN_BASE_URL=${mock.url}\nCONTENTGEN_API_KEY=${mock.adminKey}\nCONTENTGEN_WEBHOOK_SECRET=${mock.signingSecret}\n`,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('--write-env keeps the other lines of a file, and replaces its own', async () => {
  const file = join(folder(), '.env');
  writeFileSync(file, 'PORT=3000\nCONTENTGEN_API_KEY=old\n# end');
  const { mock } = await startMock(['--write-env', file]);
  expect(readFileSync(file, 'utf8').split('\n')).toEqual([
    'PORT=3000',
    `CONTENTGEN_API_KEY=${mock.adminKey}`,
    '# end',
    `CONTENTGEN_BASE_URL=${mock.url}`,
    `CONTENTGEN_WEBHOOK_SECRET=${mock.signingSecret}`,
    '',
  ]);
});

test('--write-env that cannot be written is a usage error', async () => {
  const path = join(folder(), 'no', 'such', '.env');
  const { code, err } = await invoke(['mock', '--port', '0', '--write-env', path]);
  expect(code).toBe(2);
  expect(err).toContain(`Failed to write ${path} (ENOENT).`);
});

test('--write-env replaces every line of a name, and closes an existing file to others', async () => {
  const file = join(folder(), '.env');
  writeFileSync(file, 'CONTENTGEN_API_KEY=one\nA=1\nexport CONTENTGEN_API_KEY=two\n');
  chmodSync(file, 0o644);
  const { mock } = await startMock(['--write-env', file]);
  const keys = readFileSync(file, 'utf8').match(/.*CONTENTGEN_API_KEY=.*/g);
  expect(keys).toEqual([`CONTENTGEN_API_KEY=${mock.adminKey}`]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('--write-env refuses a symbolic link', async () => {
  const target = join(folder(), 'target');
  const link = join(folder(), '.env');
  symlinkSync(target, link);
  const { code, err } = await invoke(['mock', '--port', '0', '--write-env', link]);
  expect({ code, written: existsSync(target) }).toEqual({ code: 2, written: false });
  expect(err).toContain('is a symbolic link');
});

test.runIf(process.getBuiltinModule('node:sqlite'))(
  'an existing empty data file is closed to others',
  async () => {
    const file = join(folder(), 'data.db');
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    await startMock(['--data', file]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  },
);

test('--save overwrites nothing but a deployment', async () => {
  const file = join(folder(), 'given-only');
  for (const text of ['{ "name": "app", "scripts": {} }', '[]', 'not JSON']) {
    writeFileSync(file, text);
    for (const args of [
      ['conform', '--base-url', 'http://127.0.0.1:9', '--api-key', 'a'.repeat(20)],
      ['doctor', '--url', 'http://127.0.0.1:9'],
    ]) {
      const { code } = await invoke([...args, '--save', file]);
      expect({ args, code, text: readFileSync(file, 'utf8') }).toEqual({ args, code: 2, text });
    }
  }
});
