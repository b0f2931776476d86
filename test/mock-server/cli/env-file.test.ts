import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
