import type { Usage, Webhook } from '../../../src/index.ts';
import { absoluteTime, count, share } from '../logic/format.ts';

interface UsageMeterProps {
  readonly usage: Usage;
  readonly thresholds: readonly number[];
}

/** The use of the monthly quota, with a mark at each threshold that triggers a webhook. */
export function UsageMeter({ usage, thresholds }: UsageMeterProps) {
  const { used, quota, remaining, requests, periodEnd } = usage;
  const part = quota > 0 ? used / quota : 1;
  const passed = thresholds.some((threshold) => part >= threshold);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> takes no marks inside */}
      <div
        class="meter"
        data-tone={part >= 1 ? 'bad' : passed ? 'warn' : undefined}
        role="meter"
        aria-label="Monthly quota used"
        aria-valuemin={0}
        aria-valuemax={quota}
        aria-valuenow={Math.min(used, quota)}
        aria-valuetext={`${count(used)} of ${count(quota)} tokens, ${share(part)}`}
      >
        <div class="filled" style={{ width: `${Math.min(100, part * 100)}%` }} />
        {thresholds.map((threshold) => (
          <span
            key={threshold}
            class="mark"
            data-side={threshold < 0.5 ? 'left' : 'right'}
            style={{ left: `calc(${threshold * 100}% - 1px)` }}
          >
            <span>webhook at {share(threshold)}</span>
          </span>
        ))}
      </div>
      <dl class="figures">
        <Figure name="Used" value={`${count(used)} tokens`} />
        <Figure name="Share" value={share(part)} />
        <Figure name="Remaining" value={count(remaining)} />
        <Figure name="Generations" value={count(requests)} />
        <Figure name="Renews" value={absoluteTime(Date.parse(periodEnd)).slice(0, 10)} />
      </dl>
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The thresholds of the enabled webhooks, without duplicates. */
export function thresholdsOf(webhooks: readonly Webhook[]): readonly number[] {
  const shares = webhooks.flatMap(({ event, status, threshold }) =>
    event === 'usage_threshold' && status === 'enabled' && threshold !== undefined
      ? [threshold]
      : [],
  );
  return [...new Set(shares)].sort((a, b) => a - b);
}
