import { postgresPurge } from 'contentgen/webhooks/postgres';
import pg from 'pg';

const pool = new pg.Pool();
pool.on('error', (error) => console.error('PostgreSQL:', error.message));
const deleted = await postgresPurge((text, params) => pool.query(text, params));
console.log(`${deleted} deliveries forgotten`);
await pool.end();
