import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DetailProps {
  readonly title: string;
  /** Shown next to the title, such as a status. */
  readonly badge?: ComponentChildren;
  readonly back: string;
  readonly children: ComponentChildren;
}

/** The panel next to a list, or in its place on a narrow screen. */
export function Detail({ title, badge, back, children }: DetailProps) {
  const panel = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title means another row
  useEffect(() => {
    panel.current?.scrollTo(0, 0);
  }, [title]);
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
