import { ContentGen } from 'contentgen';
import { connectMock } from 'contentgen/mock/remote';
import { expect, test } from 'vitest';

const url = process.env['CONTENTGEN_MOCK_URL'] ?? 'http://127.0.0.1:4010';
const mock = connectMock(url);

test('the client survives an outage', async () => {
  // Each test has its own organization, so tests can run in parallel.
  const { organization, memberKey } = await mock.createOrganization();
  const client = new ContentGen({ baseUrl: url, apiKey: memberKey });
  const effect = { status: 503 };
  await mock.faults.add({ organization, operation: 'generateContent', times: 2, effect });

  const done = await client.content.generate({ prompt: 'A haiku about TCP' });

  expect(done.status).toBe('completed');
});

test('a key can be revoked', async () => {
  const { adminKey, memberKey } = await mock.createOrganization({ quota: 1000 });
  const admin = new ContentGen({ baseUrl: url, apiKey: adminKey });
  for await (const key of admin.apiKeys.list()) {
    if (key.role === 'member') await admin.apiKeys.revoke(key.id);
  }
  const rejected = await new ContentGen({ baseUrl: url, apiKey: memberKey }).usage.get().safe();
  expect(rejected.ok).toBe(false);
});
