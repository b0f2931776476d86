import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLogPacks, type PackChanges } from '../../../mock-server/stores/log-packs.ts';
import { memoryStore, type Row } from '../../../mock-server/stores/memory.ts';
import { rowsOf } from '../../../mock-server/stores/watched-table.ts';

const idOf = (number: number) => `evt_${String(number).padStart(6, '0')}`;

/** A log with its packs, and what a database would contain after each commit. */
function logged() {
  const table = rowsOf(memoryStore(), 'events');
  const stored = new Map<string, string>();
  let changed = new Set<string>();
  let last = 0;
  let packs = createLogPacks(table, []);
  const remove = (id: string) => {
    changed.add(id);
    table.delete(id);
  };
  const write = ({ written, deleted }: PackChanges) => {
    for (const id of deleted) stored.delete(id);
    for (const { id, text } of written) stored.set(id, text);
  };
  return {
    stored,
    add(length: number) {
      last += 1;
      changed.add(idOf(last));
      table.put({ id: idOf(last), text: 'x'.repeat(length) } as Row);
    },
    dropOldest(count: number) {
      for (const { id } of table.oldest({ limit: count })) remove(id);
    },
    dropOne(at: number) {
      const rows = table.oldest({ limit: Number.POSITIVE_INFINITY });
      const row = rows[at % Math.max(1, rows.length)];
      if (row) remove(row.id);
    },
    /** Takes the changes; a commit that fails leaves them for the next one. */
    commit(succeeds: boolean) {
      const changes = packs.take(changed);
      if (!succeeds) return;
      write(changes);
      changes.committed();
      changed = new Set();
    },
    replace() {
      changed = new Set();
      stored.clear();
      const changes = packs.take(changed, true);
      write(changes);
      changes.committed();
    },
    /** Another process reads what is stored. */
    reopen() {
      packs = createLogPacks(table, [...stored.keys()].sort());
    },
    lines: () => [...stored].sort().flatMap(([, text]) => JSON.parse(text) as Row[]),
    expected: () => table.oldest({ limit: Number.POSITIVE_INFINITY }),
  };
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('add'), value: fc.nat(9000) }),
  fc.record({ kind: fc.constant('drop oldest'), value: fc.nat(4) }),
  fc.record({ kind: fc.constant('drop one'), value: fc.nat(20) }),
  fc.record({ kind: fc.constant('commit'), value: fc.nat(3) }),
  fc.record({ kind: fc.constant('replace'), value: fc.nat() }),
  fc.record({ kind: fc.constant('reopen'), value: fc.nat() }),
);

test('after each commit the stored lines are the log, no matter what was added and dropped', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const log = logged();
      for (const { kind, value } of steps) {
        if (kind === 'add') log.add(value);
        else if (kind === 'drop oldest') log.dropOldest(value);
        else if (kind === 'drop one') log.dropOne(value);
        else if (kind === 'replace') log.replace();
        else {
          log.commit(kind === 'reopen' || value > 0);
          if (kind === 'reopen') log.reopen();
        }
      }
      log.commit(true);
      expect(log.lines()).toEqual(log.expected());
    }),
    { numRuns: 500 },
  );
});

test('lines are packed up to 16 KiB, and dropping the oldest writes at most one pack', () => {
  const log = logged();
  for (let number = 0; number < 300; number += 1) log.add(1000);
  log.commit(true);
  expect(log.stored.size).toBe(19);
  const before = new Map(log.stored);
  log.dropOldest(100);
  log.commit(true);
  const written = [...log.stored].filter(([id, text]) => before.get(id) !== text);
  expect(written).toHaveLength(1);
  expect(log.lines()).toHaveLength(200);
});
