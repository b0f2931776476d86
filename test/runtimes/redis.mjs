import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { withRedis } from '../support/servers.ts';
import { secret, tryReceiver } from './examples.mjs';
import { resultOf } from './processes.mjs';
import { bridgeTo } from './redis-bridge.mjs';
import { link } from './snippets.mjs';
import { startWorker } from './workers.mjs';

/** Clients of Redis that the main installation has no place for, over one server: Bun's, Upstash's and an example's. */
export async function redisClients(root, modules, application) {
  link(modules, application, '@upstash/redis', 'uncrypto');
  const server = await withRedis();
  const bridge = await bridgeTo(server.url);
  const run = (command, name, env) =>
    resultOf(command, [`programs/store-${name}.mjs`], { cwd: application.folder, env });
  try {
    const results = [
      await run(join(modules, '.bin/bun'), 'bun', { REDIS_URL: server.url }),
      await run(process.execPath, 'upstash', { UPSTASH_URL: bridge.url }),
      await honoExample(root, application, bridge.url),
    ];
    return {
      claims: results.reduce((sum, { claims }) => sum + claims, 0),
      skipped: 0,
      failures: results.flatMap(({ failures }) => failures),
    };
  } finally {
    bridge.close();
    await server.stop();
  }
}

/** The example for Workers on workerd, whose store speaks Redis over HTTP. */
async function honoExample(root, application, redisUrl) {
  const file = 'examples/hono-workers';
  application.link('hono');
  cpSync(join(root, file), join(application.folder, 'hono-worker'), { recursive: true });
  const worker = await startWorker(application, 'hono-worker/index.ts', {
    bindings: {
      CONTENTGEN_WEBHOOK_SECRET: secret,
      REDIS_REST_URL: redisUrl,
      REDIS_REST_TOKEN: 'token',
    },
  });
  try {
    const url = `${await worker.ready}webhooks`;
    const failures = await tryReceiver(application, file, url, ['processed', 'duplicate']);
    return { claims: 2, failures };
  } finally {
    await worker.dispose();
  }
}
