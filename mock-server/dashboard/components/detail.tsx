import { useEffect, useRef } from 'preact/hooks';
import { deliveries } from '../lists/deliveries.tsx';
import type { AnySpec } from '../lists/list-spec.ts';
import { href, route } from '../state/router.ts';
import { useLive } from '../state/use-live.ts';
import { Actions } from './actions.tsx';
import { Block } from './copy.tsx';
import { readList } from './list.tsx';
import { Problem } from './problem.tsx';
import { Rows } from './rows.tsx';
import { Timeline } from './timeline.tsx';

const RELATED_ROWS = 20;

/** What happened to a record, what can be done with it, and the record itself. */
export function Detail({ spec, id }: { spec: AnySpec; id: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { value, error } = useLive(`${spec.name} ${id}`, () => readList(spec, { id, limit: 1 }));
  const row = value?.data[0];
  const back = href(spec.path, Object.fromEntries(route.value.query));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the record moves the focus
  useEffect(() => {
    heading.current?.focus();
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      location.hash = back;
      requestAnimationFrame(() => document.getElementById(`row-${id}`)?.focus());
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [id]);
  return (
    <section class="detail" aria-label={spec.one}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {spec.one} <code>{id}</code>
        </h2>
        <a href={back}>Close</a>
      </header>
      <Problem error={error} />
      {value && !row && <p class="empty">The server has no such record.</p>}
      {row !== undefined && <Shown spec={spec} row={row} />}
    </section>
  );
}

function Shown({ spec, row }: { spec: AnySpec; row: unknown }) {
  const facts = Object.entries(spec.facts(row)).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const texts = Object.entries(spec.texts?.(row) ?? {}).filter(([, value]) => value !== undefined);
  const actions = spec.actions?.(row) ?? [];
  return (
    <>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {actions.length > 0 && <Actions key={spec.id(row)} actions={actions} />}
      {spec.timeline && (
        <section>
          <h3>What happened</h3>
          <Timeline steps={spec.timeline(row)} />
        </section>
      )}
      {spec.deliveries && <Related spec={spec} row={row} />}
      {texts.map(([title, value]) => (
        <Block key={title} title={title} value={value} />
      ))}
      <Block title="The record as JSON" value={row} />
    </>
  );
}

function Related({ spec, row }: { spec: AnySpec; row: unknown }) {
  const query = { ...spec.deliveries?.(row), limit: RELATED_ROWS };
  const { value } = useLive(JSON.stringify(query), () => readList(deliveries, query));
  if (!value?.total) return null;
  return (
    <section>
      <h3>Its deliveries</h3>
      <Rows spec={deliveries} rows={value.data} />
    </section>
  );
}
