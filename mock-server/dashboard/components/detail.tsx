import { useEffect, useRef } from 'preact/hooks';
import { deliveries } from '../lists/deliveries.tsx';
import { type AnyRow, type AnySpec, cell, idOf, type Step } from '../lists/list-spec.ts';
import { href, route } from '../state/router.ts';
import { useLive } from '../state/use-live.ts';
import { Actions } from './actions.tsx';
import { Block } from './copy.tsx';
import { Badge, Time, words } from './format.tsx';
import { Rows, readList } from './list.tsx';
import { Problem } from './outcome.tsx';

const RELATED_ROWS = 20;

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
      {row && <Shown spec={spec} row={row} />}
    </section>
  );
}

function Shown({ spec, row }: { spec: AnySpec; row: AnyRow }) {
  const isSaid = (value: unknown) => value !== undefined && value !== null && value !== '';
  const texts = Object.entries(spec.texts?.(row) ?? {}).filter(([, value]) => isSaid(value));
  const actions = spec.actions?.(row) ?? [];
  return (
    <>
      <dl>
        {spec.facts
          .filter((name) => isSaid(row[name]))
          .map((name) => (
            <div key={name}>
              <dt>{words(name)}</dt>
              <dd>{cell(spec, row, name)}</dd>
            </div>
          ))}
      </dl>
      <Actions key={idOf(row)} actions={actions} />
      {spec.timeline && <Timeline steps={spec.timeline(row)} />}
      {spec.delivered && <Related id={idOf(row)} />}
      {texts.map(([title, value]) => (
        <Block key={title} title={title} value={value} />
      ))}
      <Block title="The record as JSON" value={row} />
    </>
  );
}

function Timeline({ steps }: { steps: readonly Step[] }) {
  return (
    <section>
      <h3>What happened</h3>
      <ol class="timeline">
        {steps.map(({ at, tone, title, detail }) => (
          <li key={`${at} ${title}`} class={tone}>
            <p>
              <Badge tone={tone}>{title}</Badge> <Time at={at} />
            </p>
            {detail}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Related({ id }: { id: string }) {
  const query = { text: id, limit: RELATED_ROWS };
  const { value } = useLive(`deliveries of ${id}`, () => readList(deliveries, query));
  if (!value?.total) return null;
  return (
    <section>
      <h3>Its deliveries</h3>
      <Rows spec={deliveries} rows={value.data} />
    </section>
  );
}
