import { createServer } from 'node:http';
import pg from 'pg';
import { createClient } from 'redis';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';
import { postgresResults } from '../../src/webhooks/postgres.ts';
import { redisResults } from '../../src/webhooks/redis.ts';

// The receiver; another process waits for its results. Usage: node results-process.ts <store URL> <secret>
const [, , url = '', secret = ''] = process.argv;
process.on('disconnect', () => process.exit());

const results = url.startsWith('redis:')
  ? redisResults(await createClient({ url }).connect(), await createClient({ url }).connect())
  : postgresResults(new pg.Pool({ connectionString: url }));
const server = createServer(toNodeHandler(createWebhookHandler({ secret, results }))).listen(
  0,
  '127.0.0.1',
  () => {
    const address = server.address();
    process.send?.(typeof address === 'object' ? address?.port : 0);
  },
);
