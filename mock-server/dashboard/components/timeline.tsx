import type { ComponentChildren } from 'preact';
import { Badge, Time, type Tone } from './format.tsx';

/** Something that happened to a record, or that will. */
export interface Step {
  readonly at: string;
  readonly tone: Tone;
  readonly title: string;
  readonly detail?: ComponentChildren;
  /** It is still to come: the time is shown with its distance. */
  readonly ahead?: boolean;
}

export function Timeline({ steps }: { steps: readonly Step[] }) {
  return (
    <ol class="timeline">
      {steps.map(({ at, tone, title, detail, ahead = false }) => (
        <li key={`${at} ${title}`} class={tone}>
          <p>
            <Badge tone={tone}>{title}</Badge> <Time at={at} ahead={ahead} />
          </p>
          {detail}
        </li>
      ))}
    </ol>
  );
}
