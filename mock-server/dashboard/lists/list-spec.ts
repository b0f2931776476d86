import type { ComponentChildren } from 'preact';
import type { SearchRows } from '../../control/logs/logs.ts';
import type { Action } from '../components/actions.tsx';
import { shown, type Tone } from '../components/format.tsx';

export type ListName = keyof SearchRows;

export interface Step {
  readonly at: string;
  readonly tone: Tone;
  readonly title: string;
  readonly detail?: ComponentChildren;
}

/** What the one list and the one detail show of a kind of record. */
export interface ListSpec<Name extends ListName = ListName, Row = SearchRows[Name]> {
  readonly name: Name;
  readonly title: string;
  readonly path: string;
  readonly one: string;
  /** The fields in its row; the first one is the link to the detail. */
  readonly columns: readonly (keyof Row & string)[];
  /** The column that takes the room that is left. */
  readonly wide: keyof Row & string;
  /** A column that is left out where there is little room. */
  readonly narrow?: keyof Row & string;
  readonly statuses: readonly string[];
  /** Said if there is none yet: how to get one. */
  readonly empty: string;
  /** The fields above the timeline. */
  readonly facts: readonly (keyof Row & string)[];
  /** Fields that are more than their value. */
  readonly show?: { readonly [Field in keyof Row]?: (row: Row) => ComponentChildren };
  readonly timeline?: (row: Row) => readonly Step[];
  readonly actions?: (row: Row) => readonly Action[];
  /** Texts of the record that are worth a block of their own. */
  readonly texts?: (row: Row) => Readonly<Record<string, unknown>>;
  /** Whether deliveries belong to it. */
  readonly delivered?: true;
}

/** A list spec without its row type, for the components that show any of them. */
// biome-ignore lint/suspicious/noExplicitAny: a component that shows every kind of row knows none of their fields
export type AnySpec = Omit<ListSpec<any, any>, 'name'> & { readonly name: ListName };

export type AnyRow = Readonly<Record<string, unknown>>;

/** A generation is named by its request. */
export const idOf = ({ id, requestId }: AnyRow): string => String(id ?? requestId);

export const cell = ({ show }: AnySpec, row: AnyRow, name: string): ComponentChildren =>
  show?.[name]?.(row) ?? shown(name, row[name]);
