import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { check, expectReceiver, secret } from './claims.mjs';

/** Builds an application of this version of Next.js without any secret, starts it with one and calls both runtimes. */
export async function nextOn(folder, installed, testing) {
  const modules = join(folder, 'node_modules');
  for (const name of ['contentgen', 'openapi-fetch', 'openapi-typescript-helpers'])
    cpSync(join(installed, 'node_modules', name), join(modules, name), { recursive: true });
  clean(folder);
  cpSync(join(folder, '../next-app'), join(folder, 'app'), { recursive: true });
  const root = JSON.stringify(folder);
  writeFileSync(
    join(folder, 'next.config.mjs'),
    `export default { outputFileTracingRoot: ${root}, turbopack: { root: ${root} } };\n`,
  );
  const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  delete environment.CONTENTGEN_WEBHOOK_SECRET;
  const next = (args, env) =>
    spawn(process.execPath, [join(modules, 'next/dist/bin/next'), ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const build = await ended(next(['build'], environment));
  const port = await freePort();
  const withSecret = { ...environment, CONTENTGEN_WEBHOOK_SECRET: secret };
  const ask = (runtime) => `http://127.0.0.1:${port}/api/${runtime}`;
  const started = build.code === 0 ? next(['start', '-p', `${port}`], withSecret) : undefined;
  try {
    if (started) await answering(ask('node'), started);
    return await check([
      [
        'it builds without the secret',
        () => {
          if (build.code !== 0) throw new Error(build.output);
        },
      ],
      ['the Node runtime receives', () => expectReceiver(testing, ask('node'))],
      ['the edge runtime receives', () => expectReceiver(testing, ask('edge'))],
    ]);
  } finally {
    if (started?.exitCode === null) {
      started.kill();
      await once(started, 'exit');
    }
    clean(folder);
  }
}

function clean(folder) {
  for (const name of ['app', '.next', 'next.config.mjs', 'next-env.d.ts'])
    rmSync(join(folder, name), { recursive: true, force: true });
}

async function ended(child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

async function answering(url, child) {
  for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
