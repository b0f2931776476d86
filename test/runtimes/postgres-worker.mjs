import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';

const worker = 'programs/postgres-worker.mjs';

/** 600 deliveries, 30 at once, to a Worker whose receiver keeps its marks in PostgreSQL. */
export async function postgresOnWorkerd(application, startWorker, url) {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  const sql = createServer(async (request, response) => {
    const text = Buffer.concat(await Array.fromAsync(request)).toString();
    const { text: statement, params } = JSON.parse(text);
    const result = await pool.query(statement, params).then(
      ({ rows }) => ({ rows }),
      ({ message, code }) => ({ error: { message, code } }),
    );
    response.end(JSON.stringify(result));
  }).listen(0, '127.0.0.1');
  await once(sql, 'listening');
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const running = await startWorker(worker, {
    CONTENTGEN_WEBHOOK_SECRET: secret,
    SQL_URL: `http://127.0.0.1:${sql.address().port}/`,
  });
  try {
    const packed = join(application.folder, 'node_modules/contentgen/dist/webhooks.js');
    const { signWebhook } = await import(pathToFileURL(packed).href);
    const target = String(await running.ready);
    const others = [];
    let sent = 0;
    const send = async () => {
      while (sent < 600) {
        const id = `msg_${sent++}`;
        const body = JSON.stringify({ event: 'usage_threshold', usage: 900 });
        const headers = await signWebhook({ id, body, secret });
        const signal = AbortSignal.timeout(60_000);
        const init = { method: 'POST', headers, body, signal };
        const outcome = await fetch(target, init).then(({ status }) => status, String);
        if (outcome !== 200) others.push(outcome);
      }
    };
    await Promise.all(Array.from({ length: 30 }, send));
    const { rows } = await pool.query(
      'SELECT count(*)::int AS done FROM contentgen_webhook_deliveries WHERE done',
    );
    const error = `${others.length} were not, the first with ${others[0]}; ${rows[0].done} are marked`;
    const failures =
      others.length === 0 && rows[0].done === 600
        ? []
        : [{ file: worker, name: 'each delivery is acknowledged and marked', error }];
    return { claims: 1, skipped: 0, failures };
  } finally {
    await running.dispose();
    sql.close();
    await pool.end();
  }
}
