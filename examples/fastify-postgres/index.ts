import { createApp } from './app.ts';
import { createPool } from './pool.ts';

const secret = process.env['CONTENTGEN_WEBHOOK_SECRET'];
if (!secret) throw new Error('Set CONTENTGEN_WEBHOOK_SECRET.');
const app = await createApp(createPool(), secret);
console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000) }));
