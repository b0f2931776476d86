import { ContentGen } from 'contentgen';

const client = new ContentGen();

const job = await client.content.start({
  prompt: 'Chapter one',
  webhookUrl: 'https://app.example/callbacks',
  metadata: { order: '4711' }, // returned with the result
});
const stored = JSON.stringify(job); // { "status": "processing", "requestId": "gen_…" }
console.log(JSON.parse(stored).status); // processing
