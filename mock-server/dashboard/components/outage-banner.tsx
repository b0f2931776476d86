import { clockTime } from '../logic/format.ts';
import { outage, retryNow } from '../state/live.ts';

/** Says that the page is outdated, and why. */
export function OutageBanner() {
  if (!outage.value) return null;
  const { what, advice, since } = outage.value;
  return (
    <div class="outage" role="alert">
      <p>
        <strong>{what}</strong> {advice}{' '}
        <span class="muted">
          This page was last updated at {clockTime(since).slice(0, 8)} UTC. It keeps retrying.
        </span>
      </p>
      <button type="button" onClick={retryNow}>
        Retry now
      </button>
    </div>
  );
}
