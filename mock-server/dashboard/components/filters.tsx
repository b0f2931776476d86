import { useEffect, useRef, useState } from 'preact/hooks';
import { type FilterName, filtersOf, ranges } from '../logic/filters.ts';
import { href, replace, route } from '../router.ts';

type Options = readonly (readonly [value: string, name: string])[];

interface FiltersProps {
  /** What the search covers, as a placeholder. */
  readonly hint: string;
  readonly status?: readonly string[];
  readonly event?: readonly string[];
  /** Placeholder of the code field, for lists that have codes. */
  readonly code?: string;
  readonly url?: string;
  /** Label of the checkbox that shows rows hidden by default. */
  readonly own?: string;
}

/** The search and the filters of a list. They are stored in the page's address, and the server applies them. */
export function Filters({ hint, status, event, code, url, own }: FiltersProps) {
  const { page, id, query } = route.value;
  const filters = filtersOf(query);
  const [open, setOpen] = useState(false);
  const set = (name: FilterName, value: string) => {
    const { page, id, query } = route.peek();
    replace(href(page, id, { ...filtersOf(query), [name]: value }));
  };
  const active = Object.keys(filters).length;
  const hidden = Object.keys(filters).filter((name) => name !== 'text').length;
  return (
    <search class="filters" data-open={open || undefined}>
      <FilterText name="Find" value={filters.text ?? ''} hint={hint} set={(v) => set('text', v)} />
      <button type="button" class="more" aria-expanded={open} onClick={() => setOpen(!open)}>
        Filters{hidden > 0 && ` (${hidden})`}
      </button>
      <div class="rest">
        {status && (
          <Choice
            name="Status"
            value={filters.status}
            options={named('Any status', status)}
            set={(v) => set('status', v)}
          />
        )}
        {event && (
          <Choice
            name="Event"
            value={filters.event}
            options={named('Any event', event)}
            set={(v) => set('event', v)}
          />
        )}
        {code && (
          <FilterText
            name="Code"
            value={filters.code ?? ''}
            hint={code}
            set={(v) => set('code', v)}
          />
        )}
        {url && (
          <FilterText name="URL" value={filters.url ?? ''} hint={url} set={(v) => set('url', v)} />
        )}
        <Choice name="Time" value={filters.since} options={ranges} set={(v) => set('since', v)} />
        {own && (
          <label class="check">
            <input
              type="checkbox"
              checked={filters.own === 'yes'}
              onChange={({ currentTarget }) => set('own', currentTarget.checked ? 'yes' : '')}
            />
            {own}
          </label>
        )}
        {active > 0 && (
          <button type="button" class="plain" onClick={() => replace(href(page, id))}>
            Clear
          </button>
        )}
      </div>
    </search>
  );
}

const named = (any: string, values: readonly string[]): Options => [
  ['', any],
  ...values.map((value) => [value, value] as const),
];

interface ChoiceProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly options: Options;
  readonly set: (value: string) => void;
}

function Choice({ name, value = '', options, set }: ChoiceProps) {
  const known = options.some(([option]) => option === value);
  return (
    <select
      aria-label={name}
      data-set={value !== '' || undefined}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
      {!known && <option value={value}>{value}</option>}
    </select>
  );
}

interface FilterTextProps {
  readonly name: string;
  readonly value: string;
  readonly hint: string;
  readonly set: (value: string) => void;
}

const typingMs = 200;

/** Searches when typing pauses, or immediately on Enter. */
function FilterText({ name, value, hint, set }: FilterTextProps) {
  const [draft, setDraft] = useState(value);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (typing.current === undefined) setDraft(value);
  }, [value]);
  useEffect(() => () => clearTimeout(typing.current), []);
  const apply = (text: string) => {
    clearTimeout(typing.current);
    typing.current = undefined;
    set(text.trim());
  };
  return (
    <input
      type="search"
      aria-label={name}
      data-set={value !== '' || undefined}
      placeholder={hint}
      title={name === 'Find' ? `${hint}. Press / to focus this field.` : undefined}
      class={name === 'Find' ? 'find' : 'short'}
      value={draft}
      onInput={({ currentTarget }) => {
        const text = currentTarget.value;
        setDraft(text);
        clearTimeout(typing.current);
        typing.current = setTimeout(() => apply(text), typingMs);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(event.currentTarget.value);
      }}
    />
  );
}
