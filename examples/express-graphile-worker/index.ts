import { ContentGen } from 'contentgen';
import { postgresResults } from 'contentgen/webhooks/postgres';
import { makeWorkerUtils } from 'graphile-worker';
import pg from 'pg';
import { createApp } from './receiver.ts';
import { startWorker } from './worker.ts';

const { DATABASE_URL, CONTENTGEN_WEBHOOK_SECRET: secret, CONTENTGEN_API_KEY, ROLE } = process.env;
if (!secret) throw new Error('Set CONTENTGEN_WEBHOOK_SECRET.');
if (!DATABASE_URL) throw new Error('Set DATABASE_URL, for example postgres://localhost/postgres.');

const pgPool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 });
pgPool.on('error', (error) => console.error('PostgreSQL:', error.message));
pgPool.on('connect', (client) => client.on('error', () => {}));
const workerUtils = await makeWorkerUtils({ pgPool });
await workerUtils.migrate();

if (ROLE !== 'receiver') await startWorker(pgPool, workerUtils);
if (ROLE !== 'worker') {
  const client = CONTENTGEN_API_KEY ? new ContentGen() : undefined;
  const app = createApp({ secret, workerUtils, client, results: postgresResults(pgPool) });
  const port = Number(process.env['PORT'] ?? 3000);
  app.listen(port, () => console.log(`http://localhost:${port}/webhooks`));
}
