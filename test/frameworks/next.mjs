import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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
  const service = await startService(installed);
  const withSecret = { ...environment, ...service.variables, CONTENTGEN_WEBHOOK_SECRET: secret };
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
      [
        'a server component with a client at module level gets a fresh answer each time',
        async () => {
          const page = `http://127.0.0.1:${port}/usage`;
          await expectText(await fetch(page), 'used 0');
          await service.mock.fetch(`${service.mock.baseUrl}/api/ai/content/generate`, {
            method: 'POST',
            headers: { 'x-api-key': service.mock.memberKey, 'content-type': 'application/json' },
            body: JSON.stringify({ prompt: '[[say: one]]' }),
          });
          const { used } = await (
            await service.mock.fetch(`${service.mock.baseUrl}/api/usage`, {
              headers: { 'x-api-key': service.mock.memberKey },
            })
          ).json();
          await expectText(await fetch(page), `used ${used}`);
        },
      ],
    ]);
  } finally {
    await service.close();
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
  const service = await startService(installed);
  const { mock, variables } = service;
  const started = spawn(join(folder, 'node_modules/.bin', command), [...args, '-p', `${port}`], {
    cwd: folder,
    env: {
      ...process.env,
      ...variables,
      NEXT_TELEMETRY_DISABLED: '1',
      CONTENTGEN_WEBHOOK_SECRET: secret,
    },
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
        'a server component waits for a slow call, and shows a failed one',
        async () => {
          const held = mock.hold('getUsage');
          const page = fetch(`${url}/usage`);
          await held.started;
          held.release();
          await expectText(await page, 'tokens');
          const effect = { status: 500 };
          mock.faults.add({ operation: 'getUsage', times: 3, effect });
          await expectText(await fetch(`${url}/usage`), 'internal_error');
        },
      ],
      [
        'a route handler passes half of a stream on, then its failure',
        async () => {
          const held = mock.hold('generateContent');
          const answer = fetch(`${url}/api/generate`, { method: 'POST', body: 'A story' });
          await held.started;
          held.emit('Call me');
          const reader = (await answer).body.pipeThrough(new TextDecoderStream()).getReader();
          let text = '';
          while (!text.includes('Call me')) text += (await reader.read()).value;
          held.fail();
          for (let part = await reader.read(); !part.done; part = await reader.read())
            text += part.value;
          if (!/generation\.failed/.test(text)) throw new Error(`Got ${text}.`);
        },
      ],
    ]);
  } finally {
    await service.close();
    await stopped(started);
    clean(folder);
  }
}

/** The reference server of the packed package on a port, and the variables that lead to it. */
async function startService(installed) {
  const load = (name) =>
    import(pathToFileURL(join(installed, 'node_modules/contentgen/dist/mock', name)).href);
  const { createMockServer } = await load('index.js');
  const { serve } = await load('http.js');
  const mock = createMockServer({ seed: 1 });
  const { url, close } = await serve(mock, { port: 0 });
  const variables = { CONTENTGEN_BASE_URL: url, CONTENTGEN_API_KEY: mock.memberKey };
  return { mock, variables, close };
}

async function expectText(response, expected) {
  const text = (await response.text()).replaceAll('<!-- -->', '');
  if (!text.includes(expected)) throw new Error(`${response.status} ${text.slice(0, 400)}`);
}

function clean(folder) {
  for (const name of ['app', '.next', 'next.config.mjs', 'next-env.d.ts', 'tsconfig.json'])
    rmSync(join(folder, name), { recursive: true, force: true });
}
