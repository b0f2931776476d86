import type { ComponentChildren } from 'preact';

interface PageProps {
  readonly title: string;
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Limits the page to the width of text. Lists take the whole width. */
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

/** Replaces an empty list: says what belongs here and how to create the first one. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
