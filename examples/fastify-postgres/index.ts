import pg from 'pg';
import { createApp } from './app.ts';

const secret = process.env['CONTENTGEN_WEBHOOK_SECRET'];
if (!secret) throw new Error('Set CONTENTGEN_WEBHOOK_SECRET.');
const app = await createApp(new pg.Pool(), secret);
console.log(await app.listen({ port: 3000 }));
