import { GenerationStream } from 'contentgen';

const response = await fetch('/api/generate', { method: 'POST', body: 'A haiku about TCP' });
for await (const text of GenerationStream.fromReadableStream(response.body)) console.log(text);
