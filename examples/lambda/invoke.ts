import { sampleEvent } from 'contentgen/testing';
import { signWebhook } from 'contentgen/webhooks';

// Calls the function as an HTTP API would, with a signed and a forged delivery.
process.env['CONTENTGEN_WEBHOOK_SECRET'] ??= `whsec_${btoa('a secret for this example only')}`;
const secret = process.env['CONTENTGEN_WEBHOOK_SECRET'];
const { handler } = await import('./handler.ts');

const { id, payload } = sampleEvent('generation_completed');
const body = JSON.stringify(payload);
const headers = await signWebhook({ id, body, secret });
const event = { rawPath: '/webhooks', requestContext: { http: { method: 'POST' } }, headers };

console.log('signed:', (await handler({ ...event, body })).statusCode);
console.log('forged:', (await handler({ ...event, body: `${body} ` })).statusCode);
