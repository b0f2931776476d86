import { href } from '../state/router.ts';

interface PartsProps {
  readonly title: string;
  readonly current: string;
  /** The address and the name of each part. */
  readonly parts: readonly (readonly [string, string])[];
}

/** The heading of a page, with links to its parts. */
export function Parts({ title, current, parts }: PartsProps) {
  return (
    <header class="parts">
      <h1 tabIndex={-1}>{title}</h1>
      <nav aria-label={`Parts of ${title}`}>
        {parts.map(([path, name]) => (
          <a key={path} href={href(path)} aria-current={path === current ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
    </header>
  );
}
