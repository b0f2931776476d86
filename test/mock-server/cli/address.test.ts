import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../../support/sockets.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { command } from './command.ts';
import { invoke, served } from './invoke.ts';

const key = `cg_live_${'a'.repeat(49)}`;
const token = 'control-token-of-the-server';

/** Somebody else's server, and what it was sent. */
async function stranger() {
  const received: string[] = [];
  const url = await serve(({ headers }, response) => {
    received.push(JSON.stringify(headers));
    response.end('{}');
  });
  return { url, received };
}

test('a command reads no .env of the folder', async () => {
  const { url, received } = await stranger();
  const folder = dirname(temporaryFile('.env', `CONTENTGEN_BASE_URL=${url}\n`));
  const env = { CONTENTGEN_API_KEY: key };
  const { stderr } = await command(['redeliver', '--since', '1 hour'], env, folder);
  expect(stderr).toContain('Using http://127.0.0.1:4010, from the default.');
  expect(received).toEqual([]);
}, 60_000);

test('--env-file names a file that has address and credential, and the environment wins over it', async () => {
  const { mock, url } = await served();
  const other = await stranger();
  const text = `CONTENTGEN_BASE_URL=${url}\nCONTENTGEN_API_KEY=${mock.adminKey}\n`;
  const line = ['redeliver', '--since', '1 hour', '--env-file', temporaryFile('.env', text)];
  const { code, err } = await invoke(line);
  expect({ code, err }).toEqual({ code: 0, err: `Using ${url}, from --env-file.` });
  const mixed = await invoke(line, { CONTENTGEN_BASE_URL: other.url });
  expect(mixed.code).toBe(2);
  expect(other.received).toEqual([]);
  const missing = await invoke(['doctor', '--env-file', '/no/such/.env']);
  expect(missing.err).toMatch(/Failed to read \/no\/such\/\.env \(ENOENT\)\. Pass --env-file/);
});

const keyed = { CONTENTGEN_API_KEY: key };
const addressed = { CONTENTGEN_BASE_URL: 'URL' };

test.each<[readonly string[], Record<string, string>, string]>([
  [['--url', 'URL'], keyed, 'The URL comes from --url, but the credential from the environment'],
  [['--api-key', key], addressed, 'from the environment, but the credential from --api-key'],
  [['--control-token', token], addressed, 'but the credential from --control-token'],
  [['--env-file', 'ENV'], keyed, 'The URL comes from --env-file, but'],
  [['--deployment', 'FILE'], keyed, 'The URL comes from the deployment, but'],
  [['--deployment', 'FILE', '--api-key', key], {}, 'The URL comes from the deployment, but'],
])(
  '%j with the environment %j are refused: another could decide where the credential is sent',
  async (args, env, message) => {
    const { url, received } = await stranger();
    const places: Record<string, string> = {
      URL: url,
      ENV: temporaryFile('.env', `CONTENTGEN_BASE_URL=${url}\n`),
      FILE: temporaryFile('deployment.json', JSON.stringify({ baseUrl: url })),
    };
    const placed = (text: string) => places[text] ?? text;
    const given = Object.entries(env).map(([name, text]) => [name, placed(text)]);
    const receiver = await stranger();
    for (const command of [
      ['redeliver', '--since', '1 hour'],
      ['doctor'],
      ['audit', receiver.url, '--secret', `whsec_${'A'.repeat(32)}`],
    ]) {
      // Without its own flag, audit takes no address from a deployment. Doctor takes no control token.
      if (command[0] === 'audit' && args.includes('FILE')) continue;
      if (command[0] === 'doctor' && args.includes('--control-token')) continue;
      const { code, err } = await invoke(
        [...command, ...args.map(placed)],
        Object.fromEntries(given),
      );
      expect(err).toContain(message);
      expect(code).toBe(2);
    }
    expect(received).toEqual([]);
  },
);

test('a command that writes or spends prints an address that its line does not name, and where that came from', async () => {
  const { url } = await served();
  const env = { CONTENTGEN_BASE_URL: url };
  for (const line of [
    ['trigger', 'usage_threshold'],
    ['keys', 'create'],
    ['redeliver', '--since', '1 hour'],
  ]) {
    expect((await invoke([...line, '--url', url])).err).not.toContain('Using');
    expect((await invoke(line, env)).err).toContain(`Using ${url}, from the environment.`);
  }
  const nowhere = { CONTENTGEN_BASE_URL: 'http://127.0.0.1:9', CONTENTGEN_API_KEY: key };
  const { err } = await invoke(['conform', '--spend', '0'], nowhere);
  expect(err).toContain('Using http://127.0.0.1:9, from the environment.');
  expect((await invoke(['keys', 'list'], env)).err).toBe('');
});
