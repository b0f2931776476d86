import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({ clock: 'manual', seed: 1 });
const client = new ContentGen(mock.clientOptions);

const done = await client.content.generate({ prompt: 'A haiku about TCP' });
console.log(done.status); // completed
