import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { needs } from '../support/needs.ts';
import { withPostgres, withRedis } from '../support/servers.ts';
import { postgresOnWorkerd } from './postgres-worker.mjs';
import { resultOf } from './processes.mjs';
import { bridgeTo } from './redis-bridge.mjs';
import { startWorker } from './workers.mjs';

/** Clients and runtimes that the main installation has no place for, against real stores. */
export function storeChecks(modules, application) {
  const run = (command, name, env) =>
    resultOf(command, [`programs/store-${name}.mjs`], { cwd: application.folder, env });
  const redis = (check) => needs('redis') && (() => withServer(withRedis, check));
  const postgres = (check) => needs('postgres') && (() => withServer(withPostgres, check));
  return [
    [
      "Redis: Bun's client on Bun",
      redis((url) => run(join(modules, '.bin/bun'), 'bun', { REDIS_URL: url })),
    ],
    [
      'Redis: @upstash/redis',
      redis(async (url) => {
        link(modules, application, '@upstash/redis', 'uncrypto');
        const bridge = await bridgeTo(url);
        return run(process.execPath, 'upstash', { UPSTASH_URL: bridge.url }).finally(bridge.close);
      }),
    ],
    [
      'PostgreSQL: Kysely that renames columns',
      postgres((url) => {
        application.link('pg');
        link(modules, application, 'kysely');
        return run(process.execPath, 'kysely', { POSTGRES_URL: url });
      }),
    ],
    [
      'PostgreSQL: 600 deliveries, 30 at once, on workerd',
      postgres((url) => postgresOnWorkerd(application, startWorker(application), url)),
    ],
  ];
}

/** Makes packages of this folder's installation available to the application. */
export function link(modules, application, ...names) {
  for (const name of names) {
    const at = join(application.folder, 'node_modules', name);
    mkdirSync(dirname(at), { recursive: true });
    if (!existsSync(at)) symlinkSync(join(modules, name), at);
  }
}

async function withServer(start, check) {
  const server = await start();
  try {
    return await check(server.url);
  } finally {
    await server.stop();
  }
}
