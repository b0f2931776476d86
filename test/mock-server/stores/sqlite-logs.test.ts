import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMockServer, type Store } from '../../../mock-server/index.ts';
import { sqliteStore } from '../../../mock-server/stores/sqlite.ts';
import { killed, open, temporaryFile } from './temporary-file.ts';

const line = (number: number, text = '') => ({
  id: `evt_${String(number).padStart(6, '0')}`,
  at: number,
  type: 'data.updated',
  data: { text },
});

/** The ids of the events that a process killed now would leave in the file. */
const savedEvents = (path: string) =>
  open(killed(path))
    .table('events')
    .oldest({ limit: Number.POSITIVE_INFINITY })
    .map(({ id }) => id);

test('nothing waits for a log line, which is in the file within 100 ms', async () => {
  const path = temporaryFile();
  const store = open(path);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  store.table('events').put(line(1));
  store.table('counters').put({ id: 'events', value: 1 });
  expect(store.flushed()).toBeUndefined();
  vi.advanceTimersByTime(99);
  await new Promise(setImmediate);
  expect(savedEvents(path)).toEqual([]);
  vi.advanceTimersByTime(1);
  await new Promise(setImmediate);
  expect(savedEvents(path)).toEqual(['evt_000001']);
  expect(open(killed(path)).table('counters').get('events')).toEqual({ id: 'events', value: 1 });
});

test('closing commits the last lines of the logs', () => {
  const path = temporaryFile();
  const store = sqliteStore(path);
  store.table('events').put(line(1));
  store.close();
  expect(open(path).table('events').count()).toBe(1);
});

test('many lines share a row of the file, and those that were dropped are gone from it', () => {
  const path = temporaryFile();
  const store = sqliteStore(path);
  const events = store.table('events');
  for (let number = 1; number <= 300; number += 1) events.put(line(number, 'x'.repeat(100)));
  store.close();
  const again = sqliteStore(path);
  expect(again.table('events').count()).toBe(300);
  for (const { id } of again.table('events').oldest({ limit: 50 }))
    again.table('events').delete(id);
  again.close();
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  const rows = db.prepare('SELECT row FROM events ORDER BY id').all();
  const lines = rows.flatMap(({ row }) => JSON.parse(String(row)) as { at: number }[]);
  expect(rows.length).toBeLessThan(10);
  expect(lines.map(({ at }) => at)).toEqual(Array.from({ length: 250 }, (_, index) => index + 51));
});

test.each([
  ['the oldest is deleted', [1]],
  ['the oldest are deleted', [1, 2, 3]],
  ['one in the middle is deleted', [3]],
  ['the newest are deleted', [5, 6]],
  ['all are deleted', [1, 2, 3, 4, 5, 6]],
])('the file follows a stored log of which %s, even if the first commit fails', async (_, gone) => {
  const path = temporaryFile();
  const first = sqliteStore(path);
  for (const number of [1, 2, 3, 4]) first.table('events').put(line(number, 'x'.repeat(9000)));
  first.close();
  const store = open(path);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const events = store.table('events');
  for (const number of [5, 6]) events.put(line(number));
  for (const number of gone) events.delete(line(number).id);
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation((sql) => {
    if (sql === 'COMMIT') throw new Error('disk full');
  });
  vi.advanceTimersByTime(100);
  await new Promise(setImmediate);
  exec.mockRestore();
  events.put(line(7));
  await store.flushed();
  const kept = [1, 2, 3, 4, 5, 6, 7].filter((number) => !gone.includes(number));
  expect(savedEvents(path)).toEqual(kept.map((number) => line(number).id));
});

test('a log that cannot be saved is reported to the next caller that waits', async () => {
  const path = temporaryFile();
  const store = open(path);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation((sql) => {
    if (sql === 'COMMIT') throw new Error('disk full');
  });
  onTestFinished(() => void vi.useRealTimers());
  store.table('events').put(line(1));
  vi.advanceTimersByTime(100);
  await new Promise(setImmediate);
  await expect(store.flushed()).rejects.toThrow('disk full');
  exec.mockRestore();
  await store.flushed();
  expect(savedEvents(path)).toEqual(['evt_000001']);
});

test('nothing is acknowledged that closing failed to save', async () => {
  const store = sqliteStore(temporaryFile());
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation((sql) => {
    if (sql === 'COMMIT') throw new Error('disk full');
  });
  onTestFinished(() => exec.mockRestore());
  store.table('events').put(line(1));
  store.table('counters').put({ id: 'count', value: 1 });
  const saved = store.flushed();
  expect(() => store.close()).toThrow('disk full');
  await expect(saved).rejects.toThrow('closed');
  await expect(store.flushed()).rejects.toThrow('closed');
});

test('lines that a kill lost do not count towards the byte limit of the request log', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const start = (store: Store) => createMockServer({ clock: 'manual', store });
  const path = temporaryFile();
  const first = start(open(path));
  const post = (mock: typeof first, prompt = 'x'.repeat(1024 * 1024 - 100)) =>
    mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, {
      method: 'POST',
      headers: { 'x-api-key': first.adminKey, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt }),
    });
  for (let number = 0; number < 31; number += 1) await post(first);
  expect((await post(first, 'A haiku')).status).toBe(200);
  const second = start(open(killed(path)));
  expect(second.requests()).toEqual([]);
  await post(second);
  await post(second);
  expect(second.requests()).toHaveLength(2);
});
