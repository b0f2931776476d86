import { expect, test } from 'vitest';
import type { Store } from '../../../mock-server/domain/ports.ts';
import type { Generation, Organization } from '../../../mock-server/domain/records.ts';

export function organization(id: string, quota = 1): Organization {
  return { id, rngStream: 1, quota, createdAt: 0 };
}

export function generation(id: string, facts: Partial<Generation> = {}): Generation {
  return {
    id,
    organization: 'org_1',
    project: 'prj_1',
    status: 'processing',
    delivery: 'callback',
    model: 'content-1',
    prompt: 'p',
    maxTokens: 1,
    createdAt: 0,
    ...facts,
  };
}

/** A file is opened only if the owners of its rows are in it too. */
export function putOwners(store: Store, ...numbers: readonly number[]): void {
  for (const number of numbers) {
    const secrets = [{ secret: 's', createdAt: 0 }];
    const owner = { id: `org_${number}`, organization: `org_${number}` };
    store.table('organizations').put(organization(owner.id));
    store.table('projects').put({ ...owner, id: `prj_${number}`, secrets, createdAt: 0 });
  }
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** What every store does. `open` returns a new, empty store. */
export function storeConformance(open: () => Store): void {
  test('a transaction that throws is rolled back', () => {
    const store = open();
    const table = store.table('generations');
    table.put(generation('gen_1'));
    expect(() =>
      store.transaction(() => {
        table.put(generation('gen_1', { status: 'failed' }));
        store.transaction(() => table.put(generation('gen_2')));
        table.delete('gen_1');
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(ids(table.newest({ limit: 9 }))).toEqual(['gen_1']);
    expect(table.get('gen_1')?.status).toBe('processing');
    expect(table.count({ index: 'projectStatus', key: 'prj_1:processing' })).toBe(1);
  });

  test('a transaction returns the result of its work', () => {
    expect(open().transaction(() => 42)).toBe(42);
  });

  test('restoring a snapshot brings back exactly its rows', () => {
    const store = open();
    store.table('organizations').put(organization('org_a'));
    store.table('generations').put(generation('gen_1'));
    const saved = store.snapshot();
    store.table('organizations').put(organization('org_b'));
    store.table('generations').delete('gen_1');
    store.restore(saved);
    expect(ids(store.table('organizations').oldest({ limit: 9 }))).toEqual(['org_a']);
    expect(store.table('generations').find('project', 'prj_1')?.id).toBe('gen_1');
  });

  test('a snapshot is plain JSON and shares nothing with the store', () => {
    const store = open();
    store.table('generations').put(generation('gen_1', { metadata: { a: '1' } }));
    const saved = store.snapshot();
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
    expect(saved.generations?.[0]).not.toBe(store.table('generations').get('gen_1'));
  });
}
