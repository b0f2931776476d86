import { useState } from 'preact/hooks';
import type { ListQuery } from '../../control/logs/logs.ts';
import type { AnySpec } from '../lists/list-spec.ts';
import { control } from '../state/control.ts';
import { href, replace, route } from '../state/router.ts';
import { organization } from '../state/session.ts';
import { useLive } from '../state/use-live.ts';
import { Actions } from './actions.tsx';
import { count } from './format.tsx';
import { Problem } from './problem.tsx';
import { Rows } from './rows.tsx';

const FIRST_ROWS = 50;
const MORE_ROWS = 100;
/** However many match, no more are shown: the filters find the others. */
const MOST_ROWS = 550;

export interface Page {
  readonly data: readonly unknown[];
  readonly total: number;
}

/** The newest rows that match. */
export function readList(spec: AnySpec, query: ListQuery): Promise<Page> {
  const owner = organization.value === undefined ? {} : { organization: organization.value };
  return control.page.lists[spec.name]({ ...owner, ...query });
}

/** A list: newest first, live, filtered by the server. The filters are part of the address. */
export function List({ spec }: { spec: AnySpec }) {
  const [limit, setLimit] = useState(FIRST_ROWS);
  const text = route.value.query.get('text') ?? '';
  const status = route.value.query.get('status') ?? '';
  const filter: ListQuery = { ...(text && { text }), ...(status && { status }) };
  const key = JSON.stringify([spec.name, organization.value, filter, limit]);
  const { value, error } = useLive(key, () => readList(spec, { ...filter, limit }));
  const { path, id } = { path: spec.path, id: route.value.id };
  const set = (next: { text?: string; status?: string }) => {
    setLimit(FIRST_ROWS);
    replace(href(id ? `${path}/${id}` : path, { text, status, ...next }));
  };
  return (
    <section class="list" aria-label={spec.title}>
      <search>
        <input
          id="filter"
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
      {spec.listActions && <Actions actions={spec.listActions(filter)} />}
      <Problem error={error} />
      {value && <Rows spec={spec} rows={value.data} query={{ text, status }} />}
      {value?.total === 0 && (
        <p class="empty">{text || status ? 'Nothing matches the filters.' : spec.empty}</p>
      )}
      {value && value.total > 0 && (
        <footer>
          <span>
            {count(value.data.length)} of {count(value.total)}
          </span>
          {value.total > value.data.length && limit < MOST_ROWS && (
            <button type="button" class="small" onClick={() => setLimit(limit + MORE_ROWS)}>
              More
            </button>
          )}
          {value.total > value.data.length && limit >= MOST_ROWS && (
            <span>Filter to see older ones.</span>
          )}
        </footer>
      )}
    </section>
  );
}
