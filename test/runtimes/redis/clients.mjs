import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '../../support/needs.ts';
import { withRedis } from '../../support/servers.ts';
import { bundleForModules, bundleForWeb } from '../bundle.mjs';
import { resultOf } from '../processes.mjs';
import { mainOf } from '../suite.mjs';
import { inWorkerd } from '../workers.mjs';
import { bridgeTo } from './bridge.mjs';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const files = { bun: 'test/runtimes/redis/bun.mjs', upstash: 'test/runtimes/redis/upstash.mjs' };

/** Redis clients that need a particular runtime or server, against a real Redis. */
export function redisClients(application) {
  const here = needs('redis');
  const check = (run) => here && (() => withServers(run));
  return [
    [
      "Redis: Bun's client on Bun",
      check(({ env }) => run(application, join(modules, '.bin/bun'), 'bun', env)),
    ],
    [
      'Redis: @upstash/redis on Node',
      check(({ env }) => run(application, process.execPath, 'upstash', env)),
    ],
    [
      'Redis: @upstash/redis on workerd',
      check(async ({ env }) =>
        inWorkerd('workerd', await bundleForWeb([files.upstash], application), [], env),
      ),
    ],
  ];
}

async function withServers(check) {
  const redis = await withRedis();
  const bridge = await bridgeTo(redis.url);
  try {
    return await check({ env: { REDIS_URL: redis.url, UPSTASH_URL: bridge.url } });
  } finally {
    bridge.close();
    await redis.stop();
  }
}

async function run(application, command, name, env) {
  application.write(`redis-${name}.mjs`, await bundleForModules(files[name], 'esm'));
  const load = `() => import('./redis-${name}.mjs')`;
  application.write(
    `redis-${name}-main.mjs`,
    `import './shim.cjs';\n${mainOf([[files[name], load]], [])}`,
  );
  return resultOf(command, [`redis-${name}-main.mjs`], { cwd: application.folder, env });
}
