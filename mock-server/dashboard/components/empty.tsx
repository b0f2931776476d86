import type { ComponentChildren } from 'preact';

/** Says what would be here, and how to get it here. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
