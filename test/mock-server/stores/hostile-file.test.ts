import fs, { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { sqliteStore } from '../../../mock-server/stores/sqlite.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { invoke } from '../cli/invoke.ts';

/** The file of a server that was stopped. */
async function dataFile(sql = ''): Promise<string> {
  const path = temporaryFile();
  const store = sqliteStore(path);
  const mock = createMockServer({ store, clock: 'manual' });
  await mock.issueToken({ role: 'admin' });
  await mock.close();
  store.close();
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
  return path;
}

const added = (kind: string, id: string, row: unknown) =>
  `INSERT INTO rows VALUES ('${kind}', '${id}', '${typeof row === 'string' ? row : JSON.stringify(row)}')`;
const changed = (kind: string, set: string) => `UPDATE rows SET ${set} WHERE kind = '${kind}'`;
const initialState = (text: string) =>
  added('counters', 'initial-state', { id: 'initial-state', value: 0, text }).replace(
    'INSERT',
    'REPLACE',
  );
const without = (kind: string) => `DELETE FROM rows WHERE kind = '${kind}'`;
const organization = { id: 'org_a', rngStream: 1, quota: 1, createdAt: 0 };
const key = { ...{ id: 'key_a', name: '', role: 'admin', hash: 'h', hint: 'h' }, createdAt: 0 };
const deep = `{"id":"gen_a","metadata":${'{"a":'.repeat(1200)}1${'}'.repeat(1200)}}`;
const PREVIOUS = 'ALTER TABLE rows RENAME TO previous; ';

test.each<[what: string, sql: string]>([
  ['a row of a kind that does not exist', added('notes', 'a', { id: 'a' })],
  ['a row of the kind __proto__', added('__proto__', 'a', { id: 'a' })],
  ['a row whose id is bytes', "INSERT INTO rows VALUES ('counters', x'00', '{}')"],
  ['a row that is null', added('organizations', 'org_a', 'null')],
  ['a row that is no JSON', added('organizations', 'org_a', '{')],
  ['a row that is too deep', added('generations', 'gen_a', deep)],
  ['a row without its fields', added('organizations', 'org_a', { id: 'org_a' })],
  ['a row under the id of another', added('organizations', 'org_b', organization)],
  ['a field of a wrong kind', changed('organizations', "row = json_set(row, '$.quota', 'x')")],
  ['an owner that does not exist', added('apiKeys', 'key_a', { ...key, createdBy: 'system' })],
  ['no project', without('projects')],
  ['no organization', without('organizations')],
  ['an initial state that is no JSON', initialState('{')],
  ['an initial state that is no state', initialState('{"notes":[]}')],
  ['an initial state with a damaged row', initialState('{"projects":[{"id":"prj_a"}]}')],
  ['a view in place of the table', `${PREVIOUS}CREATE VIEW rows AS SELECT * FROM previous`],
  ['a table of other columns', `${PREVIOUS}CREATE TABLE rows (kind, id, row)`],
  [
    'a trigger',
    'CREATE TRIGGER t AFTER INSERT ON rows BEGIN DELETE FROM rows WHERE id = new.id; END',
  ],
  ['one more table', 'CREATE TABLE notes (text)'],
  ['an index', 'CREATE INDEX i ON rows (json(row))'],
])('a data file with %s is damaged, and left alone', async (_, sql) => {
  const path = await dataFile(sql);
  const before = readFileSync(path);
  expect(() => sqliteStore(path)).toThrow(expect.objectContaining({ code: 'damaged' }));
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('the command says that a data file is damaged, and does not change it', async () => {
  const path = await dataFile(without('organizations'));
  const before = readFileSync(path);
  const { code, out, err } = await invoke(['mock', '--port', '0', '--data', path]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(
    /^contentgen mock: \S+ is damaged: [^\n]*\. It was left untouched\. Restore a backup or choose another path\. See contentgen mock --help\.$/,
  );
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('what SQLite itself adds to a file does no harm', async () => {
  const path = await dataFile('ANALYZE');
  sqliteStore(path).close();
});

test.each(['a new file', 'an empty file that others can read', 'a data file that others can read'])(
  'only the owner can read %s, and its write-ahead log',
  async (kind) => {
    const path = kind.startsWith('a data file') ? await dataFile() : temporaryFile();
    for (const name of kind === 'a new file' ? [] : [path, `${path}-wal`]) {
      writeFileSync(name, '', { flag: 'a' });
      chmodSync(name, 0o644);
    }
    const store = sqliteStore(path);
    store.table('counters').put({ id: 'count', value: 1 });
    await store.flushed();
    const modes = [path, `${path}-wal`].map((name) => statSync(name).mode & 0o777);
    store.close();
    expect(modes).toEqual([0o600, 0o600]);
  },
);

test('a data file whose mode cannot be set is used, with a warning', async () => {
  const path = await dataFile();
  vi.spyOn(fs, 'fchmodSync').mockImplementation(() => {
    throw Object.assign(new Error('no'), { code: 'EPERM' });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const warnings: string[] = [];
  sqliteStore(path, (sentence) => warnings.push(sentence)).close();
  expect(warnings).toEqual([
    `Others might be able to read ${path}: its mode could not be set (EPERM).`,
  ]);
});
