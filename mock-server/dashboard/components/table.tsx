import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly title: string;
  /** A CSS width. Columns without it share the remaining space. */
  readonly width?: string;
  readonly class?: string;
  /** Whether its cells link to their rows. Set it for one column that is always visible. */
  readonly link?: true;
  readonly render: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** A plain table, for short lists. */
export function Table<Row>({ label, columns, rows, rowKey }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="table-scroll" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        <TableHead columns={columns} />
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, class: name, render }) => (
                <td key={title} class={name}>
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function TableHead<Row>({ columns }: Pick<TableProps<Row>, 'columns'>) {
  return (
    <thead>
      <tr>
        {columns.map(({ title, width, class: name }) => (
          <th key={title} class={name} scope="col" style={width ? { width } : {}}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const tailLength = 12;

/**
 * A text on one line, shortened in the middle if it does not fit, because both ends of a URL matter. `https://` is left
 * out.
 */
export function Middle({ text }: { text: string }) {
  const shown = text.replace(/^https:\/\//, '');
  const at = Math.max(0, shown.length - tailLength);
  return (
    <span class="middle" title={text}>
      <span>{shown.slice(0, at)}</span>
      <span>{shown.slice(at)}</span>
    </span>
  );
}
