import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { startMock } from './command.ts';

const FILES = 200;
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** One test file of an application: its own organization, a fault, and a quota that it uses up. */
const fileOf = (number: number, url: string) => `
import { expect, test } from 'vitest';
import { connectMock } from '${root}mock-server/control-api/client/connect-mock.ts';
import { ContentGen } from '${root}src/index.ts';

test('file ${number}', async () => {
  const mock = connectMock('${url}');
  const { organization, adminKey } = await mock.createOrganization({ quota: 1 });
  const client = new ContentGen({ baseUrl: '${url}', apiKey: adminKey, maxRetries: 0 });
  const effect = { status: ${500 + (number % 4)} };
  await mock.faults.add({ organization, operation: 'getUsage', times: 1, effect });
  await client.content.generate({ prompt: 'file ${number}' });
  const failed = await client.usage.get().safe();
  expect(failed.ok ? 200 : failed.error.status).toBe(${500 + (number % 4)});
  expect((await client.usage.get()).requests).toBe(1);
  const refused = await client.content.generate({ prompt: 'one more' }).safe();
  expect(refused.error?.code).toBe('quota_exceeded');
  expect((await mock.requests({ organization })).length).toBe(4);
});
`;

test('200 Vitest files on one server, each with an organization, a fault and a quota, do not disturb each other', {
  timeout: 180_000,
}, async () => {
  const { mock } = await startMock(['--log', 'none']);
  const folder = join(root, 'node_modules/.side-by-side');
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (let number = 0; number < FILES; number += 1) {
    writeFileSync(join(folder, `file-${number}.check.ts`), fileOf(number, mock.url));
  }
  const config = join(folder, 'vitest.config.mjs');
  writeFileSync(config, "export default { test: { include: ['*.check.ts'], exclude: [] } };");
  const vitest = join(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const args = ['run', '--root', folder, '--config', config, '--no-isolate', '--pool=threads'];
  const child = spawn(
    process.execPath,
    [vitest, ...args, '--maxWorkers=4', '--reporter=json', '--outputFile=report.json'],
    {
      env: { ...process.env, NODE_OPTIONS: '', VITEST: '' },
    },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code, output.slice(-2000)).toBe(0);
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(report).toMatchObject({ numPassedTests: FILES, numTotalTests: FILES });
  const { state } = await connectMock(mock.url).snapshot();
  expect(state['organizations']).toHaveLength(FILES + 1);
});
