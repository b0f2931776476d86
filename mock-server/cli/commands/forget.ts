import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DedupeStore } from '../../../src/webhooks/index.ts';
import { defineCommand } from '../command.ts';
import { option, toggle } from '../flags.ts';
import { anyText, UsageError } from '../values.ts';

export const forget = defineCommand({
  description: `Make a receiver forget that it has handled deliveries, after a fix of your code: the next copy of each
runs its callback again (contentgen reconcile, or a redelivery). Needs the dedupe store of the receiver,
and for Redis the package redis, installed where you run it. Exits with 1 if one was not remembered.`,
  operands: { name: 'WEBHOOK_ID', least: 1, most: Number.POSITIVE_INFINITY },
  note: 'The webhook-id, or what your dedupeKey returned.',
  flags: {
    store: option('URL', 'The dedupe store: postgres://… or redis://…', anyText, {
      env: 'CONTENTGEN_DEDUPE_URL',
    }),
    table: option('NAME', 'The table of postgresDedupe', anyText),
    prefix: option('TEXT', 'The prefix of redisDedupe', anyText),
    json: toggle('Print JSON'),
  },
  examples: [
    'contentgen forget msg_2k --store postgres://localhost/app',
    'contentgen forget msg_2k msg_2m --store redis://localhost:6379 --prefix myapp:webhook:',
  ],
  async run({ operands, flags: { store: url, table, prefix, json } }, terminal) {
    if (url === undefined)
      throw new UsageError('--store is missing, for example --store redis://localhost:6379.');
    const { store, close } = await openStore(url, table, prefix);
    const forgotten: Record<string, boolean> = {};
    try {
      for (const key of operands) forgotten[key] = await store.forget(key);
    } catch (error) {
      throw new UsageError(`Failed to use ${withoutPassword(url)}: ${Object(error).message}`);
    } finally {
      await close();
    }
    if (json) terminal.out(JSON.stringify(forgotten));
    else
      for (const [key, isForgotten] of Object.entries(forgotten))
        terminal.out(`${key}  ${isForgotten ? 'forgotten' : 'was not remembered as handled'}`);
    return Object.values(forgotten).every(Boolean) ? 0 : 1;
  },
});

interface Open {
  readonly store: DedupeStore;
  close(): Promise<unknown>;
}

async function openStore(
  url: string,
  table: string | undefined,
  prefix: string | undefined,
): Promise<Open> {
  if (/^postgres(?:ql)?:/.test(url)) {
    const { default: pg } = await import('pg');
    const { postgresDedupe } = await import('../../../src/webhooks/postgres.ts');
    const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 5000, max: 1 });
    pool.on('error', () => {});
    const options = { createTable: false, ...(table !== undefined && { table }) };
    const store = postgresDedupe((text, params) => pool.query(text, params), options);
    return { store, close: () => pool.end() };
  }
  if (!/^rediss?:/.test(url))
    throw new UsageError('--store must begin with postgres:// or redis://.');
  const { createClient } = await loadRedis();
  const { redisDedupe } = await import('../../../src/webhooks/redis.ts');
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 5000 } });
  client.on('error', () => {});
  await client.connect().catch((error: Error) => {
    throw new UsageError(`Failed to use ${withoutPassword(url)}: ${error.message}`);
  });
  const store = redisDedupe(client, prefix === undefined ? {} : { prefix });
  return { store, close: () => client.close() };
}

/** The package redis of the project in which the command runs. */
async function loadRedis(): Promise<typeof import('redis')> {
  try {
    const path = createRequire(join(process.cwd(), 'package.json')).resolve('redis');
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(
      `The package redis is needed here: npm install redis (${Object(error).code}).`,
    );
  }
}

/** The same text without the password of a database URL. */
function withoutPassword(data: string): string {
  if (!URL.canParse(data)) return data;
  const url = new URL(data);
  if (url.password) url.password = '***';
  url.search = '';
  return url.href;
}
