import { clockTime, count } from '../logic/format.ts';

interface Minute {
  /** When the minute began, ms. */
  readonly at: number;
  readonly good: number;
  readonly bad: number;
}

interface ChartProps {
  readonly label: string;
  readonly minutes: readonly Minute[];
  readonly names: readonly [good: string, bad: string];
}

const width = 600;
const height = 96;

/** One bar per minute. The label contains the totals; each bar shows its numbers on hover. */
export function Chart({ label, minutes, names }: ChartProps) {
  const top = Math.max(4, ...minutes.map(({ good, bad }) => good + bad));
  const step = width / minutes.length;
  const total = minutes.reduce((sum, { good, bad }) => sum + good + bad, 0);
  const failed = minutes.reduce((sum, { bad }) => sum + bad, 0);
  if (total === 0) return <p class="muted small">None in the last {minutes.length} minutes.</p>;
  const size = (value: number) => (value / top) * (height - 4);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${count(total)} in the last ${minutes.length} minutes, ${count(failed)} ${names[1]}`}
      >
        <line class="axis" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
        {minutes.map(({ at, good, bad }, index) => (
          <g key={at}>
            <title>{`${clockTime(at).slice(0, 5)} UTC: ${good} ${names[0]}, ${bad} ${names[1]}`}</title>
            <rect x={index * step} y="0" width={step} height={height} fill="transparent" />
            <rect
              class="bar"
              x={index * step + 1.5}
              y={height - size(good)}
              width={step - 3}
              height={size(good)}
            />
            <rect
              class="bar bad"
              x={index * step + 1.5}
              y={height - size(good + bad)}
              width={step - 3}
              height={size(bad)}
            />
          </g>
        ))}
      </svg>
      <figcaption>
        <span>{clockTime(minutes[0]?.at ?? Number.NaN).slice(0, 5)}</span>
        <span>peak per minute: {count(Math.max(...minutes.map((m) => m.good + m.bad)))}</span>
        <span>{clockTime(minutes.at(-1)?.at ?? Number.NaN).slice(0, 5)} UTC</span>
      </figcaption>
      <Legend good={names[0]} bad={names[1]} />
    </figure>
  );
}

function Legend({ good, bad }: { good: string; bad: string }) {
  return (
    <p class="legend">
      <span>
        <i />
        {good}
      </span>
      <span>
        <i class="bad" />
        {bad}
      </span>
    </p>
  );
}
