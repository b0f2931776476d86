import type { ComponentChildren } from 'preact';

interface PageProps {
  readonly title: string;
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Text width; lists take all there is. */
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
