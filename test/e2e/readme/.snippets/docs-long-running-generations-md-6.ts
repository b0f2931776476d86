import { ContentGen } from 'contentgen';

const client = new ContentGen();

const first = client.content.stream({ prompt: 'Chapter five' });
let text = await first[Symbol.asyncIterator]().next().then(({ value }) => value ?? '');
const saved = JSON.stringify(first); // {"requestId":"gen_…","lastEventId":"2"}

const { requestId, lastEventId } = JSON.parse(saved);
for await (const delta of client.content.watch(requestId, { lastEventId })) text += delta;
console.log(text === (await client.content.get(requestId)).result); // true
