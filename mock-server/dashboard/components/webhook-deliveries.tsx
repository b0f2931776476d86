import type { Webhook } from '../../../src/index.ts';
import { shortId } from '../logic/format.ts';
import { href } from '../router.ts';
import { currentTime } from '../state/clock.ts';
import { client } from '../state/session.ts';
import type { Action } from './action.ts';
import { Status } from './badge.tsx';
import { Problem } from './problem.tsx';
import { Time } from './time.tsx';
import { isAbout } from './use-feed.ts';
import { useValue } from './use-value.ts';

const weekMs = 7 * 86_400_000;

interface WebhookDeliveriesProps {
  readonly webhook: Webhook;
  readonly act: Action<[work: () => Promise<string>]>;
}

/** The latest deliveries of a webhook, and redelivery of the failed ones. */
export function WebhookDeliveries({ webhook: { id, status }, act }: WebhookDeliveriesProps) {
  const { value, error } = useValue(
    async () => client.webhooks.listDeliveries(id, { limit: 10 }),
    isAbout('delivery.'),
    id,
  );
  const rows = value?.data ?? [];
  const redeliver = () =>
    act.run(async () => {
      const since = new Date(currentTime() - weekMs).toISOString();
      const { count } = await client.webhooks.redeliverFailed(id, { since });
      return `Queued ${count} failed ${count === 1 ? 'delivery' : 'deliveries'} of the last week again.`;
    });
  return (
    <section>
      <h3>Latest deliveries</h3>
      <Problem error={error} />
      {value && rows.length === 0 && <p class="muted">None yet. Send a test to see one.</p>}
      <ul class="lines">
        {rows.map((row) => (
          <li key={row.id}>
            <Status value={row.status} />
            <a class="mono" href={href('deliveries', row.id)}>
              {shortId(row.id)}
            </a>
            <Time at={row.createdAt} />
          </li>
        ))}
      </ul>
      {rows.some((row) => row.status === 'failed') && (
        <div class="row">
          <button
            type="button"
            disabled={act.busy || status === 'disabled'}
            onClick={() => void redeliver()}
          >
            Redeliver this week's failures
          </button>
        </div>
      )}
    </section>
  );
}
