import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, expectReceiver, secret } from './claims.mjs';
import { ended, freePort, installInto, responding, stopped } from './programs.mjs';

/** Builds an application of this version of Next.js without any secret, starts it with one and calls both runtimes. */
export async function nextOn(folder, installed, testing) {
  const modules = join(folder, 'node_modules');
  installInto(folder, installed);
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
    if (started) await responding(ask('node'), started);
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
    await stopped(started);
    clean(folder);
  }
}

/** Runs `npm start` of examples/nextjs: the receiver and the page respond. */
export async function nextExample(folder, installed, testing) {
  installInto(folder, installed);
  clean(folder);
  const example = join(folder, '../../../examples/nextjs');
  cpSync(join(example, 'app'), join(folder, 'app'), { recursive: true });
  const { scripts } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'));
  const [command, ...args] = scripts.start.split(' ');
  const port = await freePort();
  const started = spawn(join(folder, 'node_modules/.bin', command), [...args, '-p', `${port}`], {
    cwd: folder,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', CONTENTGEN_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await responding(`${url}/api/webhooks`, started);
    return await check([
      [
        'the receiver of the example receives',
        () => expectReceiver(testing, `${url}/api/webhooks`),
      ],
      [
        'its page is served',
        async () => {
          const { status } = await fetch(url);
          if (status !== 200) throw new Error(`Got ${status}.`);
        },
      ],
    ]);
  } finally {
    await stopped(started);
    clean(folder);
  }
}

function clean(folder) {
  for (const name of ['app', '.next', 'next.config.mjs', 'next-env.d.ts', 'tsconfig.json'])
    rmSync(join(folder, name), { recursive: true, force: true });
}
