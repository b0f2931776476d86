import { ContentGen } from 'contentgen';

const client = new ContentGen(); // reads CONTENTGEN_BASE_URL and CONTENTGEN_API_KEY
const { result, usage } = await client.content.generate({ prompt: 'A haiku about TCP' });
console.log(result, usage.totalTokens);
for await (const delta of client.content.stream({ prompt: 'UDP' })) process.stdout.write(delta);
