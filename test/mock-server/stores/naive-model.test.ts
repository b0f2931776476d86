import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Store, Table } from '../../../mock-server/domain/ports.ts';
import { indexes, type TableName } from '../../../mock-server/domain/records.ts';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { sqliteStore } from '../../../mock-server/stores/sqlite.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { open } from './data-file.ts';
import { putOwners } from './rows.ts';

type Row = { readonly id: string; readonly [member: string]: unknown };
type Operation =
  | { readonly kind: 'put'; readonly row: Row }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'rolled back' | 'restored'; readonly row: Row; readonly id: string };

/** Without them, no row of a file is accepted. */
const delivered = {
  ...{ messageId: 'msg_1', event: 'data_updated', url: 'https://app.example/' },
  ...{ body: '', createdAt: 0, attempts: [] },
};

// The one with the most indexes whose rows change.
const name = 'deliveries' satisfies TableName;

function operations(size: { readonly ids: number; readonly min: number; readonly max: number }) {
  const id = fc
    .integer({ min: 0, max: size.ids - 1 })
    .map((n) => `id_${String(n).padStart(6, '0')}`);
  const few = (name: string) => fc.constantFrom(`${name}_1`, `${name}_2`);
  const members = {
    id,
    organization: fc.constantFrom('org_1', 'org_2'),
    project: fc.constantFrom('prj_1', 'prj_2'),
    webhookId: few('wh'),
    requestId: few('gen'),
    status: fc.constantFrom('pending', 'delivered', 'failed', 'canceled'),
  };
  const changing = fc.record(members, {
    requiredKeys: ['id', 'organization', 'project', 'status'],
  });
  const undone = fc.constantFrom('rolled back' as const, 'restored' as const);
  const row = changing.map((members) => ({ ...delivered, ...members }));
  const operation: fc.Arbitrary<Operation> = fc.oneof(
    { weight: 6, arbitrary: row.map((row) => ({ kind: 'put' as const, row })) },
    { weight: 3, arbitrary: id.map((id) => ({ kind: 'delete' as const, id })) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: undone, row, id }),
    },
  );
  return fc.array(operation, { minLength: size.min, maxLength: size.max });
}

/** Applies the same operations to the store and to a plain map, and compares the results of every query. */
function run(store: Store, all: readonly Operation[]): Map<string, Row> {
  const table = store.table(name) as unknown as Table<Row>;
  const model = new Map<string, Row>();
  for (const one of all) {
    if (one.kind === 'put') {
      const work = () => {
        table.put(one.row);
        return one.row.id;
      };
      expect(store.transaction(work)).toBe(one.row.id);
      model.set(one.row.id, one.row);
    } else if (one.kind === 'delete') {
      expect(table.delete(one.id)).toBe(model.delete(one.id));
    } else if (one.kind === 'restored') {
      const saved = store.snapshot();
      table.put(one.row);
      table.delete(one.id);
      expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
      store.restore(saved);
    } else {
      const work = () => {
        store.transaction(() => table.put(one.row));
        table.delete(one.id);
        throw new Error('rolled back');
      };
      expect(() => store.transaction(work)).toThrow('rolled back');
    }
  }
  compare(table, model);
  return model;
}

function compare(table: Table<Row>, model: ReadonlyMap<string, Row>): void {
  const rows = [...model.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const check = (expected: readonly Row[], query: { index?: string; key?: string }) => {
    const edge = expected[expected.length >> 1]?.id ?? 'id_000003';
    const all = { ...query, limit: Number.POSITIVE_INFINITY };
    expect(table.oldest(all)).toEqual(expected);
    expect(table.newest(all)).toEqual([...expected].reverse());
    expect(table.oldest({ ...query, limit: 2 })).toEqual(expected.slice(0, 2));
    expect(table.newest({ ...query, limit: 2, before: edge })).toEqual(
      expected
        .filter(({ id }) => id < edge)
        .reverse()
        .slice(0, 2),
    );
    expect(table.oldest({ ...query, limit: 0 })).toEqual([]);
  };
  check(rows, {});
  expect(table.count()).toBe(rows.length);
  for (const [index, keyOf] of Object.entries(indexes[name])) {
    const keyed = keyOf as unknown as (row: Row) => string | undefined;
    const keys = new Set(['nobody', ...rows.map(keyed)]);
    for (const key of keys) {
      if (key === undefined) continue;
      const expected = rows.filter((row) => keyed(row) === key);
      check(expected, { index, key });
      expect(table.find(index, key)).toEqual(expected[0]);
      expect(table.count({ index, key })).toBe(expected.length);
    }
  }
  for (const row of rows) expect(table.get(row.id)).toEqual(row);
}

describe('a table, after any sequence of changes,', () => {
  test('matches a sorted list, in memory', () => {
    const property = fc.property(operations({ ids: 12, min: 0, max: 60 }), (all) => {
      run(memoryStore(), all);
    });
    fc.assert(property, { numRuns: 50, seed: 1 });
  });

  test('matches it from a file too, even after it is reopened', () => {
    const property = fc.property(operations({ ids: 12, min: 0, max: 60 }), (all) => {
      const path = temporaryFile();
      const store = sqliteStore(path);
      putOwners(store, 1, 2);
      const model = run(store, all);
      store.close();
      compare(open(path).table(name) as unknown as Table<Row>, model);
    });
    fc.assert(property, { numRuns: 15, seed: 1 });
  });
});
