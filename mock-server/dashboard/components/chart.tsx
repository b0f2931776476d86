import type { MinuteView } from '../../control/logs/activity.ts';
import { Card } from './card.tsx';
import { count } from './format.tsx';

const WIDTH = 600;
const HEIGHT = 88;

/** One bar per minute, with what failed on top of it. The label has the totals; each bar shows its numbers on hover. */
export function Chart({ title, minutes }: { title: string; minutes: readonly MinuteView[] }) {
  const peak = Math.max(...minutes.map(({ good, bad }) => good + bad));
  const failed = minutes.reduce((sum, { bad }) => sum + bad, 0);
  const total = minutes.reduce((sum, { good }) => sum + good, failed);
  const summary = `${count(total)} in ${minutes.length} min, ${count(failed)} failed`;
  const step = WIDTH / minutes.length;
  const hour = (at = '') => at.slice(11, 16);
  const bar = (index: number, below: number, value: number) => ({
    x: index * step + 2,
    y: HEIGHT - ((below + value) / Math.max(peak, 4)) * HEIGHT,
    width: step - 4,
    height: (value / Math.max(peak, 4)) * HEIGHT,
  });
  return (
    <Card class="chart" title={title} about={<span>{`${summary}, peak ${count(peak)}`}</span>}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${summary}`}
      >
        {minutes.map(({ at, good, bad }, index) => (
          <g key={at}>
            <title>{`${hour(at)} UTC: ${good} succeeded, ${bad} failed`}</title>
            <rect class="slot" x={index * step} width={step} height={HEIGHT} />
            <rect {...bar(index, 0, good)} />
            <rect class="bad" {...bar(index, good, bad)} />
          </g>
        ))}
      </svg>
      <div class="hours">
        <span>{hour(minutes[0]?.at)}</span>
        <span>{hour(minutes.at(-1)?.at)} UTC</span>
      </div>
    </Card>
  );
}
