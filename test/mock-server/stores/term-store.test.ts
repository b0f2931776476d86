import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import type { RowChanges } from '../../../mock-server/stores/postgres/rows.ts';
import { createTermStore } from '../../../mock-server/stores/postgres/term-store.ts';
import { generation, organization, storeConformance } from './conformance.ts';

interface Commit {
  readonly changes: RowChanges;
  succeed(): void;
  fail(error: Error): void;
}

/** A store whose commits and heartbeats the test controls. */
function leading() {
  const commits: Commit[] = [];
  const lease = { confirmed: true, asked: 0, respond: async () => {} };
  const store = createTermStore({
    memory: memoryStore(),
    write: (changes) =>
      new Promise((succeed, fail) => {
        commits.push({ changes, succeed, fail });
      }),
    isConfirmed: () => lease.confirmed,
    async confirm() {
      lease.asked += 1;
      await lease.respond();
      lease.confirmed = true;
    },
  });
  const begun = async (count: number) => {
    while (commits.length < count) await new Promise(setImmediate);
    return commits[count - 1] as Commit;
  };
  const put = (id: string) => store.table('generations').put(generation(id));
  return { store, commits, lease, begun, put };
}

const writtenIn = ({ changes }: Commit) => changes.written.map(({ id }) => id);

describe('as any store', () =>
  storeConformance(() =>
    createTermStore({
      memory: memoryStore(),
      write: async () => {},
      isConfirmed: () => true,
      confirm: async () => {},
    }),
  ));

test('all changes of one turn share a commit, and those made during it share the next', async () => {
  const { store, begun, put, commits } = leading();
  put('gen_1');
  put('gen_2');
  const first = await begun(1);
  put('gen_3');
  put('gen_4');
  first.succeed();
  const second = await begun(2);
  second.succeed();
  await store.flushed();
  expect(commits.map(writtenIn)).toEqual([
    ['gen_1', 'gen_2'],
    ['gen_3', 'gen_4'],
  ]);
});

test('nothing waits for a log line; lines are committed together within 100 ms', async () => {
  const { store, begun, put, commits } = leading();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const log = (id: string) => store.table('events').put({ id, at: 0, type: 'data.updated' });
  log('evt_1');
  expect(store.flushed()).toBeUndefined();
  put('gen_1');
  const first = await begun(1);
  expect(writtenIn(first)).toEqual(['gen_1']);
  first.succeed();
  await store.flushed();
  log('evt_2');
  vi.advanceTimersByTime(99);
  await new Promise(setImmediate);
  expect(commits).toHaveLength(1);
  vi.advanceTimersByTime(1);
  const { text = '[]' } = (await begun(2)).changes.written[0] ?? {};
  expect(JSON.parse(text)).toMatchObject([{ id: 'evt_1' }, { id: 'evt_2' }]);
});

test('a process that closes commits its last log lines first', async () => {
  const { store, begun } = leading();
  store.table('events').put({ id: 'evt_1', at: 0, type: 'data.updated' });
  const left = store.flushedLogs();
  const commit = await begun(1);
  expect(writtenIn(commit)).toEqual(['evt_1']);
  commit.succeed();
  await left;
});

test('nothing is flushed before its own commit', async () => {
  const { store, begun, put } = leading();
  put('gen_1');
  const first = await begun(1);
  put('gen_2');
  let flushed = false;
  const done = store.flushed()?.then(() => {
    flushed = true;
  });
  first.succeed();
  const second = await begun(2);
  expect(flushed).toBe(false);
  second.succeed();
  await done;
  expect(flushed).toBe(true);
});

test('a deleted row is deleted, unless it was never committed and everything is replaced', async () => {
  const { store, begun, put } = leading();
  put('gen_1');
  store.table('generations').delete('gen_1');
  const first = await begun(1);
  expect(first.changes).toEqual({
    replaced: false,
    written: [],
    deleted: [{ kind: 'generations', id: 'gen_1' }],
  });
  first.succeed();
  store.restore({ organizations: [organization('org_a')] });
  put('gen_2');
  store.table('generations').delete('gen_2');
  const second = await begun(2);
  expect(second.changes).toMatchObject({ replaced: true, deleted: [] });
  expect(writtenIn(second)).toEqual(['org_a']);
});

test('a failed commit is reported to those who wait, and the next one includes its changes', async () => {
  const { store, begun, put } = leading();
  put('gen_1');
  const waiting = store.flushed();
  (await begun(1)).fail(new Error('disk full'));
  await expect(waiting).rejects.toThrow('disk full');
  const again = store.flushed();
  const second = await begun(2);
  expect(writtenIn(second)).toEqual(['gen_1']);
  second.succeed();
  await again;
});

test('a process that was stopped asks whether it is still the leader before it acts on a commit', async () => {
  const { store, lease, begun, put } = leading();
  put('gen_1');
  const waiting = store.flushed();
  const commit = await begun(1);
  // The response was waiting in the socket while the process was stopped and another one took over.
  lease.confirmed = false;
  lease.respond = async () => {
    throw new Error('terminating connection');
  };
  commit.succeed();
  await expect(waiting).rejects.toThrow('terminating connection');
  expect(lease.asked).toBe(1);
});

test('with nothing to write, a stale lease is confirmed first and a fresh one needs no wait', async () => {
  const { store, lease } = leading();
  expect(store.flushed()).toBeUndefined();
  lease.confirmed = false;
  await store.flushed();
  expect(lease.asked).toBe(1);
  expect(store.flushed()).toBeUndefined();
});

test('after the end of its term it neither writes nor flushes', async () => {
  const { store, put, begun } = leading();
  put('gen_1');
  const waiting = store.flushed();
  await begun(1);
  store.end(new Error('deposed'));
  await expect(waiting).rejects.toThrow('deposed');
  await expect(store.flushed()).rejects.toThrow('deposed');
  expect(() => put('gen_2')).toThrow('deposed');
});
