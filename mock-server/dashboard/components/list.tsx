import { useState } from 'preact/hooks';
import type { ListQuery } from '../../control/logs/logs.ts';
import { type AnyRow, type AnySpec, cell, idOf } from '../lists/list-spec.ts';
import { control } from '../state/control.ts';
import { href, replace, route } from '../state/router.ts';
import { useLive } from '../state/use-live.ts';
import { count, words } from './format.tsx';
import { Problem } from './outcome.tsx';

const FIRST_ROWS = 50;
const MORE_ROWS = 100;
/** However many match, no more are shown: the filters find the others. */
const MOST_ROWS = 550;

export interface Page {
  readonly data: readonly AnyRow[];
  readonly total: number;
}

export function readList({ name }: AnySpec, query: ListQuery): Promise<Page> {
  return control.page.list(name, query) as Promise<unknown> as Promise<Page>;
}

/** A list: newest first, live, filtered by the server. The filters are part of the address. */
export function List({ spec }: { spec: AnySpec }) {
  const [limit, setLimit] = useState(FIRST_ROWS);
  const { id, query } = route.value;
  const [text, status] = [query.get('text') ?? '', query.get('status') ?? ''];
  const filter = { text, status };
  const key = JSON.stringify([spec.name, filter, limit]);
  const { value, error } = useLive(key, () => readList(spec, { ...filter, limit }));
  const set = (next: { text?: string; status?: string }) => {
    setLimit(FIRST_ROWS);
    replace(href(id ? `${spec.path}/${id}` : spec.path, { ...filter, ...next }));
  };
  return (
    <section class="list" aria-label={spec.title}>
      <search>
        <input
          type="search"
          aria-label={`Filter ${spec.title.toLowerCase()}`}
          placeholder="Filter: any word of a row"
          value={text}
          onInput={(event) => set({ text: event.currentTarget.value })}
        />
        {spec.statuses.length > 0 && (
          <select
            aria-label="Status"
            value={status}
            onChange={(event) => set({ status: event.currentTarget.value })}
          >
            <option value="">Any status</option>
            {spec.statuses.map((name) => (
              <option key={name} value={name}>
                {name.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        )}
      </search>
      <Problem error={error} />
      {value && <Rows spec={spec} rows={value.data} query={filter} />}
      {value?.total === 0 && (
        <p class="empty">{text || status ? 'Nothing matches the filters.' : spec.empty}</p>
      )}
      {value && value.total > 0 && (
        <footer>
          <span>
            {count(value.data.length)} of {count(value.total)}
          </span>
          {value.total > value.data.length &&
            (limit < MOST_ROWS ? (
              <button type="button" class="small" onClick={() => setLimit(limit + MORE_ROWS)}>
                More
              </button>
            ) : (
              <span>Filter to see older ones.</span>
            ))}
        </footer>
      )}
    </section>
  );
}

interface RowsProps {
  readonly spec: AnySpec;
  readonly rows: readonly AnyRow[];
  /** Kept in the address of the detail. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Rows as a table; where there is little room, each row becomes a card. */
export function Rows({ spec, rows, query = {} }: RowsProps) {
  const { path, title, show } = spec;
  const [first = '', ...others] = spec.columns;
  const sizeOf = (name: string) =>
    name === spec.wide ? 'wide' : name === spec.narrow ? 'narrow' : undefined;
  return (
    <table aria-label={title}>
      <thead>
        <tr>
          {spec.columns.map((name) => (
            <th key={name} scope="col" class={sizeOf(name)}>
              {words(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const id = idOf(row);
          return (
            <tr key={id} aria-current={id === route.value.id ? 'true' : undefined}>
              <td>
                <a id={`row-${id}`} href={href(`${path}/${id}`, query)}>
                  {show?.[first]?.(row) ?? String(row[first] ?? '')}
                </a>
              </td>
              {others.map((name) => (
                <td key={name} class={sizeOf(name)}>
                  {cell(spec, row, name)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
