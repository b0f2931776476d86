import { ContentGen } from 'contentgen';

const client = new ContentGen();
const { result, usage } = await client.content.generate({ prompt: process.argv[2] });
console.log(JSON.stringify({ text: result, tokens: usage.totalTokens }));
