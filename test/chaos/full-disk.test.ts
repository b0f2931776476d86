import type pg from 'pg';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresDdl } from '../../src/webhooks/postgres.ts';
import { needs } from '../support/needs.ts';
import { type ThrowAwayPostgres, withPostgres } from '../support/servers.ts';
import { committedEffects, type Fleet, runFault, startFleet } from './matrix.ts';
import { report } from './report.ts';
import { canMount, mountSmallDisk, type SmallDisk } from './small-disk.ts';

const table = 'contentgen_webhook_deliveries';

describe.runIf(needs('postgres') && canMount())('receivers over PostgreSQL on a full disk', () => {
  let server: ThrowAwayPostgres;
  let disk: SmallDisk;
  let admin: Pool;
  let fleet: Fleet;

  beforeAll(async () => {
    server = await withPostgres();
    disk = mountSmallDisk(2, server.folder) as SmallDisk;
    admin = new Pool({ connectionString: server.url, max: 1 });
    await admin.query('CREATE TABLE effects (id text)');
    await admin.query(`CREATE TABLESPACE small LOCATION '${disk.path}'`);
    for (const statement of postgresDdl()) await admin.query(statement);
    // Not its indexes: a full one could still have room for other keys.
    await admin.query(`ALTER TABLE ${table} SET TABLESPACE small`);
    // Creates the free space map, which needs a new page.
    await admin.query(`INSERT INTO ${table} VALUES ('first', '', true, now())`);
    await admin.query(`VACUUM ${table}`);
    await admin.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    fleet = await startFleet({
      store: 'PostgreSQL',
      client: 'pg',
      url: server.url,
      committed: () => committedEffects(admin),
    });
  });
  afterAll(async () => {
    await fleet?.stop();
    await admin?.end();
    await server?.stop();
    disk?.remove();
  });

  /** Adds rows of a given size in batches until PostgreSQL reports that the disk is full. */
  async function fill(bytes: number, rows: number): Promise<void> {
    const insert = `INSERT INTO ${table} SELECT gen_random_uuid(), repeat('x', $1), true, now() + interval '1 h'
      FROM generate_series(1, $2::int)`;
    let code: string | undefined;
    const failed = (error: pg.DatabaseError) => {
      code = error.code;
    };
    while (code === undefined) await admin.query(insert, [bytes, rows]).catch(failed);
    expect(code).toBe('53100');
  }

  test('keep their promises', async () => {
    const row = await runFault(fleet, {
      name: 'disk full',
      async strike() {
        await fill(1000, 100);
        // Finds the space left in pages of other connections.
        await admin.query(`VACUUM ${table}`);
        await fill(1000, 1);
        await fill(1, 1);
      },
      heal: async () => disk.grow(),
    });
    expect(row.responses[0]).toContain('503');
    report(row);
  });
});
