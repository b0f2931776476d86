import { createServer } from 'node:http';
import { Pool } from 'pg';
import { createClient } from 'redis';
import {
  createWebhookHandler,
  type Dedupe,
  type WebhookContext,
} from '../../src/webhooks/index.ts';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';
import { postgresDedupe } from '../../src/webhooks/postgres.ts';
import { redisDedupe } from '../../src/webhooks/redis.ts';

// A receiver in a separate process, for tests that kill it: node receiver-process.ts <url> <mode>.
// A callback records its start next to its effect, and the process records the done mark afterwards, so a killed
// delivery has started but is not marked. A payload { hang: true } never ends in the first process that gets it.

/** Where the effects go. */
interface Ledger {
  readonly dedupe: Dedupe;
  record(what: string, id: string): Promise<void>;
  effect(id: string, context: WebhookContext): Promise<void>;
  firstToHang(id: string): Promise<boolean>;
}

const [, , url = '', mode = ''] = process.argv;
// Longer than a loaded machine can stall a process: losing the lease that way could repeat an effect.
const leaseMs = 5000;
const ledger = await (url.startsWith('redis:') ? redisLedger() : postgresLedger());

const handler = createWebhookHandler({
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  dedupe: {
    ...ledger.dedupe,
    complete: async (id, attempt) => {
      await ledger.dedupe.complete(id, attempt);
      await ledger.record(`marked by ${process.pid}`, id);
    },
  },
  onOther: async (event, context) => {
    await ledger.record('start', event.id);
    await ledger.record(`started by ${process.pid}`, event.id);
    if ('hang' in event.payload && (await ledger.firstToHang(event.id))) {
      if (mode === 'commit') await ledger.effect(event.id, context);
      await new Promise(() => {});
    }
    await ledger.effect(event.id, context);
  },
});

const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`port ${typeof address === 'object' ? address?.port : ''}`);
});

async function redisLedger(): Promise<Ledger> {
  const client = await createClient({ url }).connect();
  return {
    dedupe: redisDedupe(client, { leaseMs }),
    record: async (what, id) => void (await client.incr(`${what}:${id}`)),
    effect: async (id) => void (await client.incr(`effect:${id}`)),
    firstToHang: async (id) => (await client.set(`hung:${id}`, '1', { NX: true })) !== null,
  };
}

async function postgresLedger(): Promise<Ledger> {
  const pool = new Pool({ connectionString: url });
  // A separate pool: a transaction must not wait for a connection held by other transactions.
  const aside = new Pool({ connectionString: url, max: 2 });
  const log = (what: string, id: string) =>
    pool.query('INSERT INTO ledger (what, id) VALUES ($1, $2)', [what, id]);
  return {
    dedupe: postgresDedupe(async (text, params) => pool.query(text, [...params]), { leaseMs }),
    record: async (what, id) => void (await log(what, id)),
    async effect(id, context) {
      if (mode !== 'commit') return void (await log('effect', id));
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await client.query('INSERT INTO ledger (what, id) VALUES ($1, $2)', ['effect', id]);
        await context.commitWith((text, params) => client.query(text, [...params]));
        // If the process is killed before COMMIT, the transaction leaves neither effect nor mark.
        if (await inDoubt(id)) await new Promise(() => {});
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
    firstToHang: async (id) =>
      (await pool.query('INSERT INTO hung (id) VALUES ($1) ON CONFLICT DO NOTHING', [id]))
        .rowCount === 1,
  };

  async function inDoubt(id: string): Promise<boolean> {
    const known = await aside.query(
      'UPDATE hung SET seen = true WHERE id = $1 AND NOT seen RETURNING id',
      [id],
    );
    return known.rowCount === 1;
  }
}
