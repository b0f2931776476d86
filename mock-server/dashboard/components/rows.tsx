import type { AnySpec } from '../lists/list-spec.ts';
import { href, route } from '../state/router.ts';

interface RowsProps {
  readonly spec: AnySpec;
  readonly rows: readonly unknown[];
  /** Kept in the address of the detail. */
  readonly query?: Readonly<Record<string, string>>;
}

/** The rows of a list as a table; where there is little room, each row becomes a card. */
export function Rows({ spec, rows, query = {} }: RowsProps) {
  const { columns, path, id, title } = spec;
  const open = route.value.id;
  return (
    <table aria-label={title}>
      <thead>
        <tr>
          {columns.map(({ name, size }) => (
            <th key={name} scope="col" class={size}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={id(row)} aria-current={id(row) === open ? 'true' : undefined}>
            {columns.map(({ name, size, cell }, index) => (
              <td key={name} class={size}>
                {index === 0 ? (
                  <a id={`row-${id(row)}`} href={href(`${path}/${id(row)}`, query)}>
                    {cell(row)}
                  </a>
                ) : (
                  cell(row)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
