import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({
  seed: 1,
  generator: async function* () {
    await new Promise((resolve) => setTimeout(resolve, 300));
    yield 'A slow haiku';
  },
});
const client = new ContentGen({ ...mock.clientOptions, timeout: 100, idleTimeout: 100 });

const { result } = await client.content.generate({ prompt: 'A haiku' });
console.log(result, (await client.usage.get()).requests); // A slow haiku 1
