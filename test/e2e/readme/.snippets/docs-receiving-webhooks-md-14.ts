import { deliver, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler } from 'contentgen/webhooks';

const secret = process.env.CONTENTGEN_WEBHOOK_SECRET!;
const seen: string[] = [];
const POST = createWebhookHandler({ secret, on: { usage_threshold: ({ id }) => void seen.push(id) } });

const twice = await deliver(POST, sampleEvent('usage_threshold'), { secret, duplicates: 2 });
console.log(twice.ok, seen.length); // true 1
const forged = await deliver(POST, sampleEvent('usage_threshold'), { secret, tamper: 'body' });
console.log(forged.attempts[0]?.status); // 400
