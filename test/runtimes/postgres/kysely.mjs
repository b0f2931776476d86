import { postgresDedupe } from 'contentgen/webhooks/postgres';
import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { dedupeContract } from '../../webhooks/dedupe-contract.ts';

describe('postgresDedupe over Kysely with its CamelCasePlugin', () => {
  let db;
  const query = (text, params) => db.executeQuery(CompiledQuery.raw(text, params));
  beforeAll(() => {
    const connectionString = globalThis.process.env['POSTGRES_URL'];
    const pool = new pg.Pool({ connectionString, max: 10 });
    db = new Kysely({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  });
  afterAll(() => db.destroy());

  dedupeContract(
    () => postgresDedupe(query),
    () =>
      query(
        'UPDATE contentgen_webhook_deliveries SET expires_at = clock_timestamp() WHERE NOT done',
        [],
      ),
  );
});
