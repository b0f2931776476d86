import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({ clock: 'manual', seed: 1 });
const client = new ContentGen(mock.clientOptions);
const held = mock.hold('generateContent');
const text = client.content.generate({ prompt: 'A haiku' });
await held.started; // the page shows that it is loading
held.release();
