import { count } from './format.tsx';

interface Minute {
  readonly at: string;
  readonly good: number;
  readonly bad: number;
}

interface ChartProps {
  readonly title: string;
  readonly minutes: readonly Minute[];
}

const WIDTH = 600;
const HEIGHT = 88;

/** One bar per minute, with what failed on top of it. The label has the totals; each bar shows its numbers on hover. */
export function Chart({ title, minutes }: ChartProps) {
  const peak = Math.max(...minutes.map(({ good, bad }) => good + bad));
  const failed = minutes.reduce((sum, { bad }) => sum + bad, 0);
  const total = minutes.reduce((sum, { good }) => sum + good, failed);
  const step = WIDTH / minutes.length;
  const size = (value: number) => (value / Math.max(peak, 4)) * HEIGHT;
  const hour = (at = '') => at.slice(11, 16);
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        <span>
          {count(total)} in {minutes.length} min, {count(failed)} failed, peak {count(peak)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${count(total)} in the last ${minutes.length} minutes, ${count(failed)} failed`}
      >
        {minutes.map(({ at, good, bad }, index) => (
          <g key={at}>
            <title>{`${hour(at)} UTC: ${good} succeeded, ${bad} failed`}</title>
            <rect class="slot" x={index * step} width={step} height={HEIGHT} />
            <rect
              x={index * step + 2}
              y={HEIGHT - size(good)}
              width={step - 4}
              height={size(good)}
            />
            <rect
              class="bad"
              x={index * step + 2}
              y={HEIGHT - size(good + bad)}
              width={step - 4}
              height={size(bad)}
            />
          </g>
        ))}
      </svg>
      <p>
        <span>{hour(minutes[0]?.at)}</span>
        <span>{hour(minutes.at(-1)?.at)} UTC</span>
      </p>
    </figure>
  );
}
