import pg from 'pg';
import { postgresDdl, postgresDedupe, postgresPurge } from '../../src/webhooks/postgres.ts';
import { withPostgres } from '../../test/support/servers.ts';

// What a sweep costs in a large table: node bench/webhooks/sweep.ts [rows …], 2 million by default. Ten million rows
// need 3 GB of disk and a few minutes.
const sizes = process.argv.slice(2).map(Number);
const table = 'contentgen_webhook_deliveries';
const expired = 100_000;
const sample = 50;

for (const rows of sizes.length > 0 ? sizes : [2_000_000]) await measure(rows);

async function measure(rows: number): Promise<void> {
  const server = await withPostgres();
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  const seen: { text: string; params: (string | number)[] }[] = [];
  const store = postgresDedupe(async (text, params) => {
    seen.push({ text, params });
    return pool.query(text, params);
  });
  try {
    for (const statement of postgresDdl()) await pool.query(statement);
    await pool.query(
      `INSERT INTO ${table} SELECT 'msg_' || md5(n::text), gen_random_uuid(), true, now() + n * interval '1 ms' + interval '1 day'
       FROM generate_series(1, $1::int) AS n`,
      [rows],
    );
    await pool.query(`VACUUM ANALYZE ${table}`);
    const sweep = await sweepOf(store, seen);
    const figures: Record<string, string> = {};
    figures['sweep, nothing expired'] = await times(() => pool.query(sweep.text, sweep.params));
    figures['the same as a scan (clock_timestamp)'] = await times(
      () =>
        pool.query(sweep.text.replaceAll('statement_timestamp', 'clock_timestamp'), sweep.params),
      3,
    );
    await pool.query(
      `INSERT INTO ${table} SELECT 'old_' || md5(n::text), 'a', true, now() - interval '1 s' FROM generate_series(1, $1::int) AS n`,
      [expired],
    );
    figures['sweep of 1 000 expired rows'] = await times(() =>
      pool.query(sweep.text, sweep.params),
    );
    const start = performance.now();
    const deleted = await postgresPurge((text, params) => pool.query(text, params));
    figures[`postgresPurge of ${deleted.toLocaleString('en')} rows`] = ms(
      performance.now() - start,
    );
    let n = 0;
    figures['claim and mark of a new delivery'] = await times(async () => {
      n += 1;
      await store.claim(`new_${n}`, 'a');
      await store.complete(`new_${n}`, 'a');
    }, 500);
    console.log(`${rows.toLocaleString('en')} rows (median of ${sample}, slowest in brackets)`);
    console.table(figures);
  } finally {
    await pool.end();
    await server.stop();
  }
}

/** The statement that one completion in a hundred sends. */
async function sweepOf(
  store: ReturnType<typeof postgresDedupe>,
  seen: { text: string; params: (string | number)[] }[],
) {
  for (;;) {
    await store.complete(`warm_${seen.length}`, 'a');
    const found = seen.find(({ text }) => text.startsWith('DELETE') && text.includes('LIMIT'));
    if (found) return found;
  }
}

async function times(step: () => Promise<unknown>, count = sample): Promise<string> {
  const taken: number[] = [];
  for (let round = 0; round < count; round++) {
    const start = performance.now();
    await step();
    taken.push(performance.now() - start);
  }
  taken.sort((a, b) => a - b);
  return `${ms(taken[count >> 1] ?? 0)} (${ms(taken.at(-1) ?? 0)})`;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;
}
