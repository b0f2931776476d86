import { writeFile } from 'node:fs/promises';
import { connectMock } from 'contentgen/mock/remote';

const mock = await connectMock('http://127.0.0.1:4010');
await writeFile('state.json', JSON.stringify(await mock.snapshot()));
