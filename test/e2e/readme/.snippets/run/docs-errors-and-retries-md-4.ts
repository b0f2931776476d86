import { ContentGen } from 'contentgen';

const client = new ContentGen();

const idempotencyKey = 'order-4711';
const first = await client.content.generate({ prompt: 'Hi' }, { idempotencyKey }).withResponse();
const again = await client.content.generate({ prompt: 'Hi' }, { idempotencyKey }).withResponse();
console.log(first.data.requestId === again.data.requestId, again.replayed); // true true
