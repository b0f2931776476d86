import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deliver, sampleEvent } from 'contentgen/testing';
import { signWebhook } from 'contentgen/webhooks';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { root } from '../../support/sources.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const folder = mkdtempSync(join(tmpdir(), 'contentgen-languages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Each program is the fenced block whose first line names its file.
const guide = readFileSync(join(root, 'docs/other-languages.md'), 'utf8');
const blocks = [...guide.matchAll(/^```\w+\n(?:(?:#|\/\/|<\?php \/\/) (\S+)\n)([\s\S]*?)^```$/gm)];
for (const [block, file = ''] of blocks)
  writeFileSync(join(folder, file), block.replace(/^```\w+\n/, '').replace(/```$/, ''));

/** A Python that has the package; some machines have several. */
const pythonWith = (name: string) =>
  ['python3', '/usr/bin/python3'].find((python) => succeeds(python, '-c', `import ${name}`));
const flask = pythonWith('flask');
const fastapi = pythonWith('fastapi, uvicorn');

const programs: [name: string, isInstalled: boolean, command: (port: number) => string[]][] = [
  [
    'Flask',
    Boolean(flask),
    (port) => [`${flask}`, '-m', 'flask', '--app', 'flask_app', 'run', '-p', `${port}`],
  ],
  [
    'FastAPI',
    Boolean(fastapi),
    (port) => [`${fastapi}`, '-m', 'uvicorn', 'fastapi_app:app', '--port', `${port}`],
  ],
  [
    'Rack',
    succeeds('ruby', '-e', "require 'rack'; require 'webrick'; Rack::Handler::WEBrick") &&
      succeeds('rackup', '--version'),
    (port) => ['rackup', '-s', 'webrick', '-o', '127.0.0.1', '-p', `${port}`, 'config.ru'],
  ],
  [
    'PHP',
    succeeds('php', '--version'),
    (port) => ['php', '-S', `127.0.0.1:${port}`, 'webhooks.php'],
  ],
  ['Go', succeeds('go', 'version'), () => ['go', 'run', 'main.go']],
];

test('the guide has a program for each of them', () => {
  const files = [
    'verify.py',
    'flask_app.py',
    'fastapi_app.py',
    'config.ru',
    'webhooks.php',
    'main.go',
  ];
  expect(blocks.map(([, file]) => file)).toEqual(files);
});

describe.each(programs)('%s', (name, isInstalled, command) => {
  if (!isInstalled && process.env['CI'] === 'true')
    throw new Error(`${name} is not installed. CI must run these tests.`);
  if (!isInstalled) console.warn(`skipped: ${name} is not installed`);

  test.runIf(isInstalled)('verifies signed deliveries and rejects the rest', async () => {
    const url = await start(command);
    const event = sampleEvent('generation_completed', { result: 'Grüße, 世界 / 🎉' });
    expect((await deliver(url, event, { secret })).attempts).toMatchObject([{ status: 204 }]);
    const both = [secret, `whsec_${Buffer.alloc(32, 8).toString('base64')}`].reverse();
    expect((await deliver(url, event, { secret: both })).ok).toBe(true);
    for (const tamper of ['body', 'signature', 'id', 'timestamp'] as const)
      expect((await deliver(url, event, { secret, tamper })).attempts).toMatchObject([
        { status: 400 },
      ]);
    for (const skewSeconds of [-400, 400])
      expect((await deliver(url, event, { secret, skewSeconds })).attempts).toMatchObject([
        { status: 400 },
      ]);
    const signed = await signWebhook({ body: '{}', secret });
    for (const changed of [
      { 'webhook-signature': '' },
      { 'webhook-signature': 'v1,' },
      { 'webhook-signature': 'v1,é' },
      { 'webhook-id': 'a.b' },
      { 'webhook-timestamp': '1e9' },
      { 'webhook-timestamp': '' },
    ]) {
      const headers = { ...signed, ...changed };
      const { status } = await fetch(url, { method: 'POST', body: '{}', headers });
      expect([changed, status]).toEqual([changed, 400]);
    }
  });
});

/** Starts a program from the guide; resolves to its URL once it responds. */
async function start(command: (port: number) => string[]): Promise<string> {
  const port = await freePort();
  const [program = '', ...args] = command(port);
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      CONTENTGEN_WEBHOOK_SECRET: secret,
      ADDRESS: `127.0.0.1:${port}`,
      GOCACHE: join(folder, 'go-cache'),
      GO111MODULE: 'off',
    },
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    // Kills the whole process group: `go run` starts the program as a child.
    if (child.exitCode === null && child.pid) process.kill(-child.pid);
    await exited;
  });
  const url = `http://127.0.0.1:${port}/webhooks`;
  await expect
    .poll(async () => (await fetch(url).catch(() => undefined))?.status, { timeout: 50_000 })
    .toBeDefined();
  return url;
}

function succeeds(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
