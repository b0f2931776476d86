import type { Table } from '../domain/ports.ts';

export type Row = { readonly id: string };

/** A table in memory, as its store sees it. */
export interface MemoryTable extends Table<Row> {
  rows(): Row[];
  clear(): void;
}

/** Told of each change before it is made, with the row that was there. */
export type Changed = (id: string, previous: Row | undefined) => void;

export type KeyOf = (row: Row) => string | undefined;

/** The index functions of a table, by name, for rows of any. */
export type Indexes = Readonly<Record<string, (row: never) => string | undefined>>;
