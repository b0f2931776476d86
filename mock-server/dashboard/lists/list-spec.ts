import type { ComponentChildren } from 'preact';
import type { ListQuery, SearchRows } from '../../control/logs/logs.ts';
import type { Action } from '../components/actions.tsx';
import type { Step } from '../components/timeline.tsx';

export type ListName = keyof SearchRows;

/** A column; `wide` takes the room that is left, and `narrow` is left out where there is little. */
export interface Column<Row> {
  readonly name: string;
  readonly size?: 'wide' | 'narrow';
  readonly cell: (row: Row) => ComponentChildren;
}

/** What the one list and the one detail show of a kind of record. */
export interface ListSpec<Name extends ListName = ListName> {
  readonly name: Name;
  readonly title: string;
  /** Where the list is: `traffic/deliveries`. */
  readonly path: string;
  /** What one of them is called. */
  readonly one: string;
  readonly id: (row: SearchRows[Name]) => string;
  /** The first one is the link to the detail. */
  readonly columns: readonly Column<SearchRows[Name]>[];
  readonly statuses: readonly string[];
  /** Said if there is none yet: how to get one. */
  readonly empty: string;
  /** The facts above the timeline. */
  readonly facts: (row: SearchRows[Name]) => Readonly<Record<string, ComponentChildren>>;
  readonly timeline?: (row: SearchRows[Name]) => readonly Step[];
  readonly actions?: (row: SearchRows[Name]) => readonly Action[];
  /** Texts of the record that are worth a block of their own. */
  readonly texts?: (row: SearchRows[Name]) => Readonly<Record<string, unknown>>;
  /** Deliveries that belong to it. */
  readonly deliveries?: (row: SearchRows[Name]) => ListQuery;
  /** What can be done with all that the filters show. */
  readonly listActions?: (filter: ListQuery) => readonly Action[];
}

/** A list spec without its row type, for the components that show any of them. */
// biome-ignore lint/suspicious/noExplicitAny: a component that shows every kind of row knows none of their fields
export type AnySpec = Omit<ListSpec<any>, 'name'> & { readonly name: ListName };
