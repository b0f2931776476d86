import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Copies the packed package and what it needs next to the frameworks of `folder`. */
export function installInto(folder, installed) {
  for (const name of ['contentgen', 'openapi-fetch', 'openapi-typescript-helpers'])
    cpSync(join(installed, 'node_modules', name), join(folder, 'node_modules', name), {
      recursive: true,
    });
}

export async function stopped(child) {
  if (child?.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

export async function ended(child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

/** Waits until the program responds, and reads what it prints: a full pipe would stop it. */
export async function responding(url, child) {
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
