import { ContentGen } from 'contentgen';
import { connectMock } from 'contentgen/mock/remote';
import { expect, test } from 'vitest';

const url = process.env['CONTENTGEN_MOCK_URL'] ?? 'http://127.0.0.1:4010';
const mock = connectMock(url);

test('the client survives an outage', async () => {
  const universe = await mock.createUniverse(); // each test has its own copy of the service, so tests can run in parallel
  const client = new ContentGen({ baseUrl: universe.url, apiKey: universe.memberKey });
  await universe.faults.add({ operation: 'generateContent', times: 2, effect: { status: 503 } });

  const done = await client.content.generate({ prompt: 'A haiku about TCP' });

  expect(done.status).toBe('completed');
});

test('a key can be revoked', async () => {
  const { url: baseUrl, adminKey, memberKey } = await mock.createUniverse({ quota: 1000 });
  const admin = new ContentGen({ baseUrl, apiKey: adminKey });
  for await (const key of admin.apiKeys.list()) {
    if (key.role === 'member') await admin.apiKeys.revoke(key.id);
  }
  const rejected = await new ContentGen({ baseUrl, apiKey: memberKey }).usage.get().safe();
  expect(rejected.ok).toBe(false);
});
