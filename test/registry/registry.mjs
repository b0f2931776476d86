import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./node_modules/verdaccio/bin/verdaccio', import.meta.url));

/** An npm registry on this machine that knows only what is published to it. */
export async function startRegistry(folder) {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'config.yaml');
  const lines = [
    `storage: ${join(folder, 'storage')}`,
    `auth: { htpasswd: { file: ${join(folder, 'htpasswd')}, max_users: 1 } }`,
    "packages: { '**': { access: $all, publish: $authenticated } }",
    'max_body_size: 50mb',
    'log: { type: stdout, level: error }',
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [program, '--config', config, '--listen', url], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; !(await answers(url)); tries += 1) {
    if (tries > 300 || child.exitCode !== null) throw new Error('The registry did not start.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const response = await fetch(`${url}/-/user/org.couchdb.user:rehearsal`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'rehearsal', password: 'only-for-a-rehearsal' }),
  });
  const { token } = await response.json();
  return { url: `${url}/`, token, close: () => child.kill() };
}

async function answers(url) {
  try {
    return (await fetch(`${url}/-/ping`)).ok;
  } catch {
    return false;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
