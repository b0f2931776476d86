import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { readRows, rowWriter } from '../../../mock-server/stores/postgres/rows.ts';
import { needs } from '../../support/needs.ts';
import { generation } from './conformance.ts';
import { testDatabase } from './test-database.ts';

const toWrite = (row: { readonly id: string }) => ({
  kind: 'generations' as const,
  id: row.id,
  text: JSON.stringify(row),
});

describe.runIf(needs('postgres'))('rows in PostgreSQL', () => {
  const { newSchema, open } = testDatabase();

  test('every row is read back as it was written, no matter what its text is', async () => {
    const { session, schema } = await open(newSchema());
    const write = rowWriter(session, schema);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.tuple(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ unit: 'binary' })),
          {
            selector: ([id]) => id,
            maxLength: 5,
          },
        ),
        async (texts) => {
          const rows = texts
            .map(([id, prompt]) => generation(id.replaceAll('\0', ' ').toWellFormed(), { prompt }))
            .filter(({ id }, at, all) => all.findIndex((one) => one.id === id) === at);
          const written = rows.map(toWrite);
          await write({ replaced: true, written, deleted: [] });
          const read: unknown[] = [];
          await readRows(session, schema, (_, page) => read.push(...page));
          const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
          expect((read as typeof rows).sort(byId)).toEqual(rows.sort(byId));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('changes beyond one statement are one transaction, and are read back page by page', async () => {
    const { session, schema } = await open(newSchema());
    const write = rowWriter(session, schema);
    const rows = Array.from({ length: 4500 }, (_, n) =>
      generation(`gen_${String(n).padStart(5, '0')}`),
    );
    const written = rows.map(toWrite);
    await write({ replaced: false, written, deleted: [] });
    const deleted = rows.slice(10, 4490).map(({ id }) => ({ kind: 'generations' as const, id }));
    const poisoned = [...deleted, { kind: 'generations' as const, id: '\0' }];
    await expect(write({ replaced: false, written: [], deleted: poisoned })).rejects.toThrow();
    let count = 0;
    await readRows(session, schema, (_, page) => {
      count += page.length;
    });
    expect(count).toBe(4500);
    await write({ replaced: false, written: [], deleted });
    const left = memoryStore();
    await readRows(session, schema, (_, page) => {
      for (const row of page) left.table('generations').put(row as never);
    });
    expect(left.table('generations').count()).toBe(20);
  });

  test('long rows are written and read in parts that each take a short time', async () => {
    const { session, schema } = await open(newSchema());
    const long = 'x'.repeat(1_000_000);
    const written = Array.from({ length: 12 }, (_, number) => {
      const row = { ...generation(`gen_${String(number).padStart(2, '0')}`), prompt: long };
      return toWrite(row);
    });
    const lengths: number[] = [];
    const counting: typeof session = {
      ...session,
      exclusive: (work) =>
        session.exclusive((query) =>
          work((statement, values = []) => {
            lengths.push(JSON.stringify(values).length);
            return query(statement, values);
          }),
        ),
    };
    await rowWriter(counting, schema)({ replaced: true, written, deleted: [] });
    const pages: string[][] = [];
    await readRows(session, schema, (_, page) =>
      pages.push((page as { id: string }[]).map(({ id }) => id)),
    );
    expect(pages.flat()).toEqual(written.map(({ id }) => id));
    expect([pages.length > 2, Math.max(...lengths) < 6_000_000]).toEqual([true, true]);
  });
});
