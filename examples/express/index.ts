import { createApp } from './app.ts';

const secret = process.env['CONTENTGEN_WEBHOOK_SECRET'];
if (!secret) throw new Error('Set CONTENTGEN_WEBHOOK_SECRET.');
createApp(secret).listen(3000, () => console.log('http://localhost:3000/webhooks'));
