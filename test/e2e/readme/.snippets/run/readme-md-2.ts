import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({ seed: 1 });
const client = new ContentGen(mock.clientOptions);
console.log((await client.content.generate({ prompt: 'A haiku about TCP' })).status); // completed
