import type { ComponentChildren } from 'preact';

interface CardProps {
  readonly title: string;
  /** A sentence, or what stands beside the title. */
  readonly about?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Card({ title, about, class: name, children }: CardProps) {
  return (
    <article class={name}>
      <header>
        <h2>{title}</h2>
        {typeof about === 'string' ? <p>{about}</p> : about}
      </header>
      {children}
    </article>
  );
}
