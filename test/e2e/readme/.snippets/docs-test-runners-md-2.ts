import { ContentGen } from 'contentgen';
import { setupMockServer } from 'contentgen/mock/node';
import { afterAll, expect, test } from 'vitest';

const { mock, close } = setupMockServer({ baseUrl: 'https://api.example.com', seed: 1 });
afterAll(close);

test('requests to the service reach the mock', async () => {
  const client = new ContentGen({ baseUrl: 'https://api.example.com', apiKey: mock.memberKey });
  expect((await client.usage.get()).used).toBe(0);
});
