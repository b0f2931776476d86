import { ContentGen } from 'contentgen';

const client = new ContentGen();

const stream = client.content.stream({ prompt: 'Chapter four', maxTokens: 200 });
let text = '';
for await (const delta of stream) text += delta;
const { result, usage } = await stream.final();
console.log(text === result, usage.completionTokens <= 200); // true true
