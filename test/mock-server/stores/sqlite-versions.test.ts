import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { indexes } from '../../../mock-server/domain/records.ts';
import { openDataFile } from '../../../mock-server/stores/sqlite-file.ts';
import { organization } from './conformance.ts';
import { killed, open, temporaryFile } from './temporary-file.ts';

test('earlier versions recognize a converted file, even if its process was killed', () => {
  const path = temporaryFile();
  openDataFile(path, [() => {}]).close();
  const db = openDataFile(path, [() => {}, () => {}]);
  onTestFinished(() => db.close());
  expect(readFileSync(killed(path)).readUInt32BE(60)).toBe(2);
});

test('a file of an earlier version, whose tables have no row ids, is read and continued', async () => {
  const path = temporaryFile();
  const createTables = (db: DatabaseSync) => {
    for (const name of Object.keys(indexes)) {
      db.exec(`CREATE TABLE "${name}" (id TEXT PRIMARY KEY, row TEXT NOT NULL) WITHOUT ROWID`);
    }
    db.exec(
      `INSERT INTO organizations VALUES ('org_a', '${JSON.stringify(organization('org_a', 1))}')`,
    );
  };
  openDataFile(path, [createTables]).close();
  const store = open(path);
  expect(store.table('organizations').get('org_a')).toEqual(organization('org_a', 1));
  store.table('organizations').put(organization('org_a', 2));
  await store.flushed();
  const rows = open(killed(path)).table('organizations').oldest({ limit: 9 });
  expect(rows).toEqual([organization('org_a', 2)]);
});

test('each migration runs once, in order, starting from the file’s version', () => {
  const path = temporaryFile();
  const steps: string[] = [];
  const step = (name: string) => () => {
    steps.push(name);
  };
  openDataFile(path, [step('one')]).close();
  openDataFile(path, [step('one'), step('two'), step('three')]).close();
  openDataFile(path, [step('one'), step('two'), step('three')]).close();
  expect(steps).toEqual(['one', 'two', 'three']);
});

test('a failed migration leaves version and tables unchanged', () => {
  const path = temporaryFile();
  const first = (db: DatabaseSync) => db.exec('CREATE TABLE kept (id TEXT, row TEXT)');
  openDataFile(path, [first]).close();
  const bad = (db: DatabaseSync) => {
    db.exec('DROP TABLE kept');
    throw new Error('no');
  };
  expect(() => openDataFile(path, [first, bad])).toThrow(/Failed to open .*: no\./);
  const db = openDataFile(path, [first]);
  onTestFinished(() => db.close());
  expect(db.prepare('SELECT count(*) AS n FROM kept').get()).toMatchObject({ n: 0 });
});
