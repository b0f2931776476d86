import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import {
  createMockServer,
  type MockServer,
  type MockServerOptions,
} from '../../../mock-server/index.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { GENERATE, generate } from '../service/helpers.ts';
import { open } from './data-file.ts';

const webhookUrl = 'https://app.example/callbacks';

/** A server in memory, or on a file if there is a path. */
function setUp(options: MockServerOptions, path?: string) {
  const store = path === undefined ? undefined : open(path);
  const mock = createMockServer({ clock: 'manual', ...options, ...(store && { store }) });
  mock.receivers.set(webhookUrl, async () => new Response());
  const get = async (to: string) =>
    mock.fetch(mock.baseUrl + to, { headers: { 'X-API-Key': mock.adminKey } });
  const begin = async (fields: object = {}) =>
    (await (await generate(mock, { prompt: 'A haiku', ...fields })).json()).requestId;
  const isKept = async (id: string) => (await get(`${GENERATE}/${id}`)).status === 200;
  const usage = async () => (await get('/api/usage')).json();
  /** How many generations the file has. */
  const stored = async () => {
    if (!store || path === undefined) return 0;
    await internalsOf(mock).flushed();
    store.close();
    const db = new DatabaseSync(path, { readOnly: true });
    const [row] = db.prepare("SELECT count(*) AS n FROM rows WHERE kind = 'generations'").all();
    db.close();
    return Number(row?.['n']);
  };
  return { mock, begin, isKept, usage, stored };
}

const keyed = (mock: MockServer, key: string, body: object) =>
  generate(mock, body, { headers: { 'idempotency-key': key } });

test('the oldest finished generations are removed beyond a count, but unfinished ones and usage stay', async () => {
  const { mock, begin, isKept, usage, stored } = setUp(
    { retention: { count: 20 } },
    temporaryFile(),
  );
  const waiting = await begin({ prompt: '[[delay 9999s]]', webhookUrl });
  const first = await begin({ webhookUrl });
  await mock.settle();
  for (let count = 0; count < 60; count += 1) await begin();
  const last = await begin();
  const kept = [await isKept(waiting), await isKept(first), await isKept(last)];
  expect(kept).toEqual([true, false, true]);
  expect(mock.deliveries()).toEqual([]);
  expect(await usage()).toMatchObject({ requests: 62 });
  expect(await stored()).toBeLessThanOrEqual(22);
});

test.each([
  { prompt: 'A haiku' },
  { prompt: 'A haiku', stream: true },
  { prompt: 'A haiku', webhookUrl },
])('a replay of %j whose generation is gone says so', async (body) => {
  const { mock } = setUp({ retention: { count: 1 } });
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

test('what is remembered under 100 idempotency keys does not keep their texts', async () => {
  const path = temporaryFile();
  const text = 'word '.repeat(2_000);
  const generator = Object.assign(
    function* () {
      yield text;
      return { promptTokens: 1, completionTokens: 400 };
    },
    { limitsTokens: true },
  );
  const { mock } = setUp({ generator, retention: { count: 16 }, quota: 1e9 }, path);
  for (let count = 0; count < 100; count += 1) {
    expect((await keyed(mock, String(count), { prompt: 'x' })).status).toBe(200);
  }
  await internalsOf(mock).flushed();
  expect(JSON.stringify(mock.snapshot().state.idempotency).length / 100).toBeLessThan(400);
  expect(statSync(path).size).toBeLessThan(500_000);
  await mock.close();
});
