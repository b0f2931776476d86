import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts';
import { sqliteStore } from '../../../mock-server/stores/sqlite.ts';
import { byAge, byCount, expectBoundedAge, expectBoundedCount } from './retention.ts';
import { temporaryFile } from './temporary-file.ts';

describe('in memory', () => {
  test('the number of generations is bounded', () => expectBoundedCount(createMockServer(byCount)));
  test('the age of finished records is bounded', () => expectBoundedAge(createMockServer(byAge)));
});

describe('in a file', () => {
  async function inFile(options: MockServerOptions) {
    const path = temporaryFile();
    const store = sqliteStore(path);
    onTestFinished(() => store.close());
    const mock = createMockServer({ ...options, store });
    const rows = async () => {
      await mock.flushed();
      store.close();
      const db = new DatabaseSync(path, { readOnly: true });
      const { count } = db.prepare('SELECT count(*) AS count FROM generations').get() ?? {};
      db.close();
      return Number(count);
    };
    return { mock, rows };
  }

  test('the number of generations is bounded', async () => {
    const { mock, rows } = await inFile(byCount);
    await expectBoundedCount(mock);
    expect(await rows()).toBeLessThanOrEqual(22);
  });

  test('the age of finished records is bounded', async () => {
    const { mock, rows } = await inFile(byAge);
    await expectBoundedAge(mock);
    expect(await rows()).toBe(0);
  });
});

test('a replay of a stream whose generation is gone says so', async () => {
  const mock = createMockServer({ clock: 'manual', retention: { count: 1 } });
  const send = async (key: string) => {
    const response = await mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, {
      method: 'POST',
      headers: {
        'X-API-Key': mock.adminKey,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify({ prompt: 'A haiku', stream: true }),
    });
    return { status: response.status, text: await response.text() };
  };
  expect((await send('first')).status).toBe(200);
  expect((await send('second')).status).toBe(200);
  const replay = await send('first');
  expect(replay.status).toBe(409);
  expect(JSON.parse(replay.text)).toMatchObject({ code: 'invalid_state' });
});

test.each([
  [{ count: 0 }, 'retention.count must be a whole number of at least 1.'],
  [{ age: '59 seconds' }, 'retention.age must be at least one minute'],
  [{ age: 'a week' }, 'retention.age must be at least one minute'],
  [{ days: 7 }, 'retention has no member days: it has count and age.'],
  [7, 'retention must be an object with count, age or both.'],
])('%j is rejected with a sentence', (retention, sentence) => {
  const options = { retention } as MockServerOptions;
  expect(() => createMockServer(options)).toThrow(sentence);
});
