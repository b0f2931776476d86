import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, expectReceiver, secret } from './claims.mjs';
import { ended, freePort, installInto, responding, stopped } from './programs.mjs';

const config = `import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

export default defineConfig({ plugins: [sveltekit({ adapter: adapter() })] });
`;
const page =
  '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>';

/** Builds the snippet of the guide, as it is printed there, without any secret, and calls the built application. */
export async function svelteKit(folder, installed, testing) {
  const [snippet, variables] = readSnippets(join(folder, '../../../docs/receiving-webhooks.md'));
  const imported = `import { CONTENTGEN_WEBHOOK_SECRET } from '$app/env/private';
`;
  const withEnv = `${imported}${snippet.replace('process.env.', '')}`;
  installInto(folder, installed);
  clean(folder);
  writeFileSync(join(folder, 'vite.config.js'), config);
  write(folder, 'src/app.html', page);
  write(folder, 'src/routes/webhooks/+server.ts', snippet);
  write(folder, 'src/env.ts', variables);
  write(folder, 'src/routes/with-env/+server.ts', withEnv);
  const { CONTENTGEN_WEBHOOK_SECRET: _, ...environment } = process.env;
  const run = (args, env) =>
    spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const build = await ended(run(['node_modules/vite/bin/vite.js', 'build'], environment));
  const PORT = `${await freePort()}`;
  const settings = { HOST: '127.0.0.1', PORT, BODY_SIZE_LIMIT: '1M' };
  const set = { ...environment, ...settings, CONTENTGEN_WEBHOOK_SECRET: secret };
  const url = (route) => `http://127.0.0.1:${PORT}/${route}`;
  const started = build.code === 0 ? run(['build/index.js'], set) : undefined;
  try {
    if (started) await responding(url('webhooks'), started);
    return await check([
      [
        'it builds without the secret',
        () => {
          if (build.code !== 0) throw new Error(build.output);
        },
      ],
      ['the snippet of the guide receives', () => expectReceiver(testing, url('webhooks'))],
      [
        'it receives with $app/env/private, as the guide says,',
        () => expectReceiver(testing, url('with-env')),
      ],
    ]);
  } finally {
    await stopped(started);
    clean(folder);
  }
}

/** The route, and the file that declares its variable. */
function readSnippets(guide) {
  const [, section = ''] = readFileSync(guide, 'utf8').split('### SvelteKit\n');
  const found = [...section.split('\n### ', 1)[0].matchAll(/```[tj]s\n([\s\S]*?)```/g)];
  if (found.length !== 2) throw new Error(`The guide has ${found.length} snippets for SvelteKit.`);
  return found.map(([, text]) => text);
}

function write(folder, path, text) {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

function clean(folder) {
  for (const name of ['src', 'build', '.svelte-kit', 'vite.config.js'])
    rmSync(join(folder, name), { recursive: true, force: true });
}
