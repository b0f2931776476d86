import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DetailProps {
  readonly title: string;
  /** Beside the title, such as a status. */
  readonly badge?: ComponentChildren;
  readonly back: string;
  readonly children: ComponentChildren;
}

/** The panel beside a list, or in its place on a narrow screen; Escape closes it, wherever the focus is. */
export function Detail({ title, badge, back, children }: DetailProps) {
  const panel = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title means another row
  useEffect(() => {
    panel.current?.scrollTo(0, 0);
  }, [title]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isBusy()) return;
      location.hash = back;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [back]);
  return (
    <section class="detail" ref={panel} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {badge}
        <a class="button" href={back} aria-label="Close details" title="Close (Escape)">
          <Icon name="close" />
        </a>
      </header>
      {children}
    </section>
  );
}

/** A dialog or the menu takes the key. */
function isBusy(): boolean {
  return document.querySelector('dialog[open], .sidebar[data-open]') !== null;
}

export function Facts({
  rows,
}: {
  rows: readonly (readonly [string, ComponentChildren] | false)[];
}) {
  return (
    <dl class="facts">
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]} style={{ display: 'contents' }}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
