import { ContentGen } from 'contentgen';

const client = new ContentGen();
await client.content.generate({ prompt: 'Hello' });

for await (const generation of client.content.list({ status: 'completed' })) {
  console.log(generation.requestId, generation.createdAt); // gen_… …
}
