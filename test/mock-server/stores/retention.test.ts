import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import {
  createMockServer,
  type MockServer,
  type MockServerOptions,
} from '../../../mock-server/index.ts';
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
      await internalsOf(mock).flushed();
      store.close();
      const db = new DatabaseSync(path, { readOnly: true });
      const { count } =
        db.prepare("SELECT count(*) AS count FROM rows WHERE kind = 'generations'").get() ?? {};
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

function keyed(mock: MockServer, key: string, body: object): Promise<Response> {
  const headers = {
    'X-API-Key': mock.adminKey,
    'Content-Type': 'application/json',
    'Idempotency-Key': key,
  };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, init);
}

test.each([
  { prompt: 'A haiku' },
  { prompt: 'A haiku', stream: true },
  { prompt: 'A haiku', webhookUrl: 'https://app.example/callbacks' },
])('a replay of %j whose generation is gone says so', async (body) => {
  const mock = createMockServer({ clock: 'manual', retention: { count: 1 } });
  mock.receivers.set('https://app.example/callbacks', async () => new Response());
  const send = async (key: string) => {
    const response = await keyed(mock, key, body);
    const text = await response.text();
    await mock.settle();
    return [response.status, response.headers.get('idempotency-replayed'), text] as const;
  };
  const first = await send('first');
  const [status, replayed, text] = await send('first');
  expect([status, replayed]).toEqual([first[0], 'true']);
  expect(first[2]).toContain(text.split('\n\n').at(-2) ?? text);
  await send('second');
  const gone = await send('first');
  expect(gone[0]).toBe(409);
  expect(JSON.parse(gone[2])).toMatchObject({ code: 'invalid_state' });
});

test('what is remembered under 1 000 idempotency keys does not keep their texts', async () => {
  const path = temporaryFile();
  const store = sqliteStore(path);
  onTestFinished(() => store.close());
  const text = 'word '.repeat(2_000);
  const generator = Object.assign(
    function* () {
      yield text;
      return { promptTokens: 1, completionTokens: 400 };
    },
    { limitsTokens: true },
  );
  const mock = createMockServer({
    ...{ store, generator, clock: 'manual', retention: { count: 50 }, quota: 1e9 },
  });
  for (let count = 0; count < 1_000; count += 1) {
    expect((await keyed(mock, String(count), { prompt: 'x' })).status).toBe(200);
  }
  await internalsOf(mock).flushed();
  expect(JSON.stringify(mock.snapshot().state.idempotency).length / 1_000).toBeLessThan(400);
  expect(statSync(path).size).toBeLessThan(4_000_000);
  await mock.close();
});

test.each([
  [{ count: 0 }, 'retention is not valid: count must be an integer of 1 or more; received 0.'],
  [
    { bytes: 1000 },
    'retention is not valid: bytes must be an integer of 1048576 or more; received 1000.',
  ],
  [{ age: '59 seconds' }, 'retention is not valid: age must be a minute or more'],
  [{ age: 'a week' }, 'retention is not valid: age must be a minute or more'],
  [
    { days: 7 },
    'retention is not valid: unknown field days. Known options: count, lines, bytes, age.',
  ],
  [7, 'retention is not valid: it must be an object; received 7.'],
])('%j is rejected with a sentence', (retention, sentence) => {
  const options = { retention } as MockServerOptions;
  expect(() => createMockServer(options)).toThrow(sentence);
});
