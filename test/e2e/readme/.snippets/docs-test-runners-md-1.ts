import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { afterAll, expect, test } from 'vitest';

const mock = createMockServer({ clock: 'manual', seed: 1 });
afterAll(() => mock.close());

test('a used-up quota rejects the next generation', async () => {
  const { memberKey } = mock.createOrganization({ quota: 1 });
  const client = new ContentGen({ ...mock.clientOptions, apiKey: memberKey });
  await client.content.generate({ prompt: 'Hi' });

  const second = await client.content.generate({ prompt: 'Hi' }).safe();

  expect(second.error?.code).toBe('quota_exceeded');
});
