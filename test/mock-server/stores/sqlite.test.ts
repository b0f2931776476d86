import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../../mock-server/cli/open-store.ts';
import { sqliteStore } from '../../../mock-server/stores/sqlite.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { fillDisk, killed, open } from './data-file.ts';
import { generation, organization, putOwners } from './rows.ts';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

function bytesOf(path: string): Record<string, string> {
  const folder = dirname(path);
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, sha256(readFileSync(`${folder}/${name}`))]),
  );
}

function openError(path: string): { code: string; message: string } {
  try {
    sqliteStore(path).close();
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('The file was opened.');
}

test('all writes of one turn are committed together or not at all, and what is flushed survives a kill', async () => {
  const path = temporaryFile();
  const store = open(path);
  putOwners(store, 1);
  for (const id of ['gen_1', 'gen_2']) store.table('generations').put(generation(id));
  store.table('generations').delete('gen_2');
  const counts = () => {
    const { table } = open(killed(path));
    return [table('organizations').count(), table('generations').count()];
  };
  expect(counts()).toEqual([0, 0]);
  await store.flushed();
  expect(counts()).toEqual([1, 1]);
  const generations = open(killed(path)).table('generations');
  expect(generations.get('gen_1')).toEqual(generation('gen_1'));
  expect(generations.find('projectStatus', 'prj_1:processing')?.id).toBe('gen_1');
});

test('a restored snapshot replaces the file’s rows in one commit', async () => {
  const path = temporaryFile();
  const store = open(path);
  store.table('organizations').put(organization('org_a'));
  const saved = store.snapshot();
  await store.flushed();
  store.table('organizations').put(organization('org_b'));
  await store.flushed();
  store.restore(saved);
  store.table('organizations').put(organization('org_c'));
  await store.flushed();
  const rows = open(killed(path)).table('organizations').oldest({ limit: 9 });
  expect(rows.map(({ id }) => id)).toEqual(['org_a', 'org_c']);
});

test('closing commits what was written in the same turn', () => {
  const path = temporaryFile();
  const store = sqliteStore(path);
  store.table('organizations').put(organization('org_a'));
  store.close();
  store.close();
  expect(open(path).table('organizations').count()).toBe(1);
  expect(() => store.table('organizations').put(organization('org_b'))).toThrow('closed');
  expect(() => store.restore({})).toThrow('closed');
});

test('a failed commit is reported to its caller, and the next one includes its changes', async () => {
  const path = temporaryFile();
  const store = open(path);
  const full = fillDisk();
  store.table('organizations').put(organization('org_a'));
  await expect(store.flushed()).rejects.toThrow('disk is full');
  full.mockRestore();
  await store.flushed();
  expect(open(killed(path)).table('organizations').count()).toBe(1);
});

type Write = (path: string) => void;

const written =
  (content: string): Write =>
  (path) =>
    writeFileSync(path, content);

/** A file of ours, changed by a statement; of a process that was killed, the change is in the write-ahead log. */
const changedBy =
  (sql: string, how: 'closed' | 'killed'): Write =>
  (path) => {
    sqliteStore(path).close();
    const db = new DatabaseSync(path);
    db.exec(sql);
    if (how === 'closed') db.close();
    else onTestFinished(() => db.close());
  };

function writeForeign(path: string): void {
  const db = new DatabaseSync(path);
  db.exec('CREATE TABLE organizations (id TEXT)');
  db.close();
}

const NOTES = `just some notes of somebody, ${'long enough to be mistaken for a header '.repeat(2)}`;
const NEWER = 'PRAGMA user_version = 99';

test.each<[what: string, code: string, sentence: string, write: Write]>([
  ['text', 'foreign', 'left untouched', written(NOTES)],
  ['one byte', 'foreign', 'left untouched', written('S')],
  ['the tables of another program', 'foreign', 'left untouched', writeForeign],
  ['a newer version', 'newer', '99', changedBy(NEWER, 'closed')],
  ['a newer version that was killed', 'newer', '99', changedBy(NEWER, 'killed')],
])('a file with %s is %s, and left unchanged', (_, code, sentence, write) => {
  const origin = temporaryFile();
  write(origin);
  const path = killed(origin);
  const before = bytesOf(path);
  expect(openError(path)).toMatchObject({ code, message: expect.stringContaining(sentence) });
  expect(bytesOf(path)).toEqual(before);
});

test('what is no file is refused before it is opened, and keeps its mode', async () => {
  const path = `${temporaryFile()}.socket`;
  const server = createServer().listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { mode } = statSync(path);
  expect(openError(path)).toMatchObject({
    code: 'foreign',
    message: expect.stringContaining('not a file'),
  });
  expect(statSync(path).mode).toBe(mode);
});

test.each(['closed', 'killed'])(
  'a damaged file that was %s is rejected and left unchanged',
  async (how) => {
    const origin = temporaryFile();
    const store = sqliteStore(origin);
    putOwners(store, 1);
    // Enough rows for the middle of the file to be among them.
    for (let number = 0; number < 2000; number += 1) {
      store.table('generations').put(generation(`gen_${number}`, { prompt: 'x'.repeat(100) }));
    }
    store.close();
    if (how === 'killed') {
      const again = open(origin);
      again.table('organizations').put(organization('org_a'));
      await again.flushed();
    }
    const path = killed(origin);
    const bytes = readFileSync(path);
    bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 4096);
    writeFileSync(path, bytes);
    const before = bytesOf(path);
    expect(openError(path)).toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('left untouched'),
    });
    expect(bytesOf(path)).toEqual(before);
  },
);

test('without node:sqlite, one line says which Node is needed', () => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(openError(temporaryFile())).toMatchObject({
    code: 'unsupported_runtime',
    message: expect.stringMatching(/^A data file needs Node 22\.13 .*$/),
  });
});

test('the file shrinks when the state is replaced', async () => {
  const path = temporaryFile();
  const store = open(path);
  const empty = store.snapshot();
  const text = 'x'.repeat(1000);
  for (let at = 0; at < 3000; at += 1) {
    store.table('counters').put({ id: `counter_${at}`, value: at, text });
  }
  await store.flushed();
  const size = () => statSync(path).size + statSync(`${path}-wal`).size;
  const full = size();
  expect(full).toBeGreaterThan(3_000_000);
  store.restore(empty);
  await store.flushed();
  expect(size()).toBeLessThan(full / 10);
});

test('nothing is acknowledged that closing failed to save', async () => {
  const store = sqliteStore(temporaryFile());
  const full = fillDisk();
  onTestFinished(() => full.mockRestore());
  store.table('counters').put({ id: 'count', value: 1 });
  const saved = store.flushed();
  expect(() => store.close()).toThrow('disk is full');
  await expect(saved).rejects.toThrow('closed');
  await expect(store.flushed()).rejects.toThrow('closed');
});

test('--data :memory: keeps everything in memory, and makes no file of that name', async () => {
  const flags = { data: ':memory:', snapshot: undefined };
  const { store, close } = await openStore(flags, () => {});
  expect(store.table('organizations').count()).toBe(0);
  close();
  expect(existsSync(':memory:')).toBe(false);
});
