import { ContentGen } from 'contentgen';
import { setupMockWorker } from 'contentgen/mock/browser';
import { afterAll, beforeAll, expect, test } from 'vitest';

let worker: Awaited<ReturnType<typeof setupMockWorker>>;
beforeAll(async () => {
  worker = await setupMockWorker({ seed: 1 });
});
afterAll(() => worker.close());

test('a user generates', async () => {
  const { mock } = worker;
  const client = new ContentGen({ ...mock.clientOptions, fetch }); // the page's own
  const { result } = await client.content.generate({ prompt: '[[say: Hello]]' });
  expect(result).toBe('Hello');
});
