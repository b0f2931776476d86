import { postgresDedupe } from 'contentgen/webhooks/postgres';
import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { tryStore } from './store.mjs';

const pool = new pg.Pool({ connectionString: process.env.POSTGRES_URL, max: 10 });
const db = new Kysely({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
const query = (text, params) => db.executeQuery(CompiledQuery.raw(text, params));
await tryStore('Kysely with its CamelCasePlugin', postgresDedupe(query));
