import { ContentGen, isApiError } from 'contentgen';

const client = new ContentGen(); // CONTENTGEN_BASE_URL and CONTENTGEN_API_KEY

const { result, usage } = await client.content.generate({ prompt: 'A haiku about TCP' });
console.log(`${result}\n(${usage.totalTokens} tokens)\n`);

for await (const delta of client.content.stream({ prompt: 'A haiku about UDP' })) {
  process.stdout.write(delta);
}
console.log('\n');

for await (const generation of client.content.list({ status: 'completed' })) {
  console.log(generation.requestId, generation.createdAt);
}

try {
  await client.content.generate({ prompt: '' });
} catch (error) {
  if (!isApiError(error, 'generateContent', 422)) throw error;
  for (const { pointer, message } of error.errors) console.log('invalid:', pointer, message);
}
