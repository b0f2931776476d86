import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { command } from './command.ts';
import { invoke, served } from './invoke.ts';

const key = `cg_live_${'a'.repeat(49)}`;
const token = 'control-token-of-the-server';

function fileWith(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Somebody else's server, and what it was sent. */
async function stranger() {
  const received: string[] = [];
  const server = createServer(({ headers }, response) => {
    received.push(JSON.stringify(headers));
    response.end('{}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

test('a command reads no .env of the folder', async () => {
  const { url, received } = await stranger();
  const folder = join(fileWith('.env', `CONTENTGEN_BASE_URL=${url}\n`), '..');
  const env = { CONTENTGEN_API_KEY: key };
  const { stderr } = await command(['redeliver', '--since', '1 hour'], env, folder);
  expect(stderr).toContain('Using http://127.0.0.1:4010, from the default.');
  expect(received).toEqual([]);
}, 60_000);

test('--env-file names a file that has address and credential, and the environment wins over it', async () => {
  const { mock, url } = await served();
  const other = await stranger();
  const text = `CONTENTGEN_BASE_URL=${url}\nCONTENTGEN_API_KEY=${mock.adminKey}\n`;
  const line = ['redeliver', '--since', '1 hour', '--env-file', fileWith('.env', text)];
  const { code, err } = await invoke(line);
  expect({ code, err }).toEqual({ code: 0, err: `Using ${url}, from --env-file.` });
  const mixed = await invoke(line, { CONTENTGEN_BASE_URL: other.url });
  expect(mixed.code).toBe(2);
  expect(other.received).toEqual([]);
  const missing = await invoke(['doctor', '--env-file', '/no/such/.env']);
  expect(missing.err).toMatch(/Failed to read \/no\/such\/\.env \(ENOENT\)\. Pass --env-file/);
});

test.each<[string, readonly string[], (url: string) => Record<string, string>, string]>([
  [
    'a typed address and a key of the environment',
    ['--url', 'URL'],
    () => ({ CONTENTGEN_API_KEY: key }),
    'The URL comes from --url, but the credential from the environment',
  ],
  [
    'an address of the environment and a typed key',
    ['--api-key', key],
    (url) => ({ CONTENTGEN_BASE_URL: url }),
    'from the environment, but the credential from --api-key',
  ],
  [
    'an address of the environment and a typed control token',
    ['--control-token', token],
    (url) => ({ CONTENTGEN_BASE_URL: url }),
    'but the credential from --control-token',
  ],
  [
    'an address of a file and a key of the environment',
    ['--env-file', 'ENV'],
    () => ({ CONTENTGEN_API_KEY: key }),
    'The URL comes from --env-file, but',
  ],
  [
    'the address of a deployment and a key of the environment',
    ['--deployment', 'DEPLOYMENT'],
    () => ({ CONTENTGEN_API_KEY: key }),
    'The URL comes from the deployment, but',
  ],
  [
    'the address of a deployment and a typed key',
    ['--deployment', 'DEPLOYMENT', '--api-key', key],
    () => ({}),
    'The URL comes from the deployment, but',
  ],
])('%s are refused: another could decide where it is sent', async (_, args, env, message) => {
  const { url, received } = await stranger();
  const places: Record<string, string> = {
    URL: url,
    ENV: fileWith('.env', `CONTENTGEN_BASE_URL=${url}\n`),
    DEPLOYMENT: fileWith('deployment.json', JSON.stringify({ baseUrl: url })),
  };
  const given = args.map((text) => places[text] ?? text);
  const receiver = await stranger();
  for (const command of [
    ['redeliver', '--since', '1 hour'],
    ['doctor'],
    ['audit', receiver.url, '--secret', `whsec_${'A'.repeat(32)}`],
  ]) {
    // Without its own flag, audit takes no address from a deployment.
    if (command[0] === 'audit' && args.includes('DEPLOYMENT')) continue;
    const { code, err } = await invoke([...command, ...given], env(url));
    expect(err).toContain(message);
    expect(code).toBe(2);
  }
  expect(received).toEqual([]);
});

test('a command that writes or spends prints an address that its line does not name, and where that came from', async () => {
  const { mock, url } = await served();
  const lines = [
    ['trigger', 'usage_threshold'],
    ['keys', 'create'],
    ['redeliver', '--since', '1 hour'],
  ];
  for (const line of lines) {
    expect((await invoke([...line, '--url', url])).err).toBe('');
    const fromEnv = await invoke(line, { CONTENTGEN_BASE_URL: url });
    expect(fromEnv.err).toBe(`Using ${url}, from the environment.`);
  }
  const env = { CONTENTGEN_BASE_URL: url, CONTENTGEN_API_KEY: mock.adminKey };
  const conform = await invoke(['conform', '--spend', '0'], env);
  expect(conform.err).toContain(`Using ${url}, from the environment.`);
  expect((await invoke(['keys', 'list'], { CONTENTGEN_BASE_URL: url })).err).toBe('');
});
