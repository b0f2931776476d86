import { ContentGen } from 'contentgen';

const client = new ContentGen();
const { result } = await client.content.generate({ prompt: 'survive' }, { maxRetries: 6 });
console.log(result);
