import type { ComponentChildren } from 'preact';

interface PageProps {
  readonly title: string;
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Limits the width to that of text; lists take the whole width. */
  readonly narrow?: boolean;
  readonly children: ComponentChildren;
}

export function Page({ title, intro, actions, narrow, children }: PageProps) {
  return (
    <div class={narrow ? 'page narrow' : 'page'}>
      <header class="page-head">
        <h1 tabIndex={-1}>{title}</h1>
        {actions && <div class="actions">{actions}</div>}
        {intro && <p>{intro}</p>}
      </header>
      {children}
    </div>
  );
}

/** In place of a list without rows: what would be here, and how to create the first one. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
