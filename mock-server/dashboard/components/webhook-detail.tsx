import { useState } from 'preact/hooks';
import { share, shortId } from '../logic/format.ts';
import { go, href } from '../router.ts';
import { currentTime } from '../state/clock.ts';
import { client } from '../state/session.ts';
import type { Webhook, WebhookWithSecret } from '../state/types.ts';
import { useAction } from './action.ts';
import { Status } from './badge.tsx';
import { Confirm } from './confirm.tsx';
import { Id } from './copy.tsx';
import { Detail, Facts } from './detail.tsx';
import { Problem } from './problem.tsx';
import { Rotation } from './rotation.tsx';
import { FullTime, Time } from './time.tsx';
import { about } from './use-feed.ts';
import { useValue } from './use-value.ts';
import { WebhookForm } from './webhook-form.tsx';

const reasons: Readonly<Record<string, string>> = {
  gone: 'its address answered 410 Gone',
  failing: 'every delivery failed for five days',
  requested: 'somebody asked for it',
};

const weekMs = 7 * 86_400_000;

interface WebhookDetailProps {
  readonly id: string;
  readonly onSecret: (webhook: WebhookWithSecret) => void;
}

export function WebhookDetail({ id, onSecret }: WebhookDetailProps) {
  const { value, error, reload } = useValue<Webhook>(
    async () => client.webhooks.get(id),
    about('webhook.'),
    id,
  );
  const [asking, setAsking] = useState<'edit' | 'rotate' | 'delete'>();
  const act = useAction(async (work: () => Promise<string>) => {
    const done = await work();
    reload();
    return done;
  });
  const close = () => {
    setAsking(undefined);
    reload();
  };
  const test = () =>
    act.run(async () => {
      const delivery = await client.webhooks.test(id);
      go('deliveries', delivery.id);
      return 'A sample event is on its way.';
    });
  const toggle = (status: 'enabled' | 'disabled') =>
    act.run(async () => {
      await client.webhooks.update(id, { status });
      return `The registration is ${status}.`;
    });
  const redeliver = () =>
    act.run(async () => {
      const since = new Date(currentTime() - weekMs).toISOString();
      const { count } = await client.webhooks.redeliverFailed(id, { since });
      return `${count} failed ${count === 1 ? 'delivery' : 'deliveries'} of the last week queued again.`;
    });
  return (
    <Detail title={shortId(id)} back={href('webhooks')}>
      <Problem error={error ?? act.error} />
      {value && (
        <>
          {value.status === 'disabled' && (
            <p class="notice warn">
              Disabled because {reasons[value.disabledReason ?? ''] ?? value.disabledReason}. Events
              meanwhile make no deliveries.
            </p>
          )}
          <WebhookFacts webhook={value} />
          <div class="row">
            <button
              type="button"
              class="primary"
              disabled={act.busy || value.status === 'disabled'}
              onClick={() => void test()}
            >
              Send a test
            </button>
            <button type="button" onClick={() => setAsking('edit')}>
              Edit…
            </button>
            <button type="button" onClick={() => setAsking('rotate')}>
              Rotate secret…
            </button>
            {value.status === 'enabled' ? (
              <button type="button" disabled={act.busy} onClick={() => void toggle('disabled')}>
                Disable
              </button>
            ) : (
              <button type="button" disabled={act.busy} onClick={() => void toggle('enabled')}>
                Enable
              </button>
            )}
            <button type="button" class="danger" onClick={() => setAsking('delete')}>
              Delete…
            </button>
          </div>
          <Deliveries
            id={id}
            busy={act.busy || value.status === 'disabled'}
            redeliver={() => void redeliver()}
          />
        </>
      )}
      {asking === 'edit' && value && <WebhookForm webhook={value} onClose={close} />}
      {asking === 'rotate' && (
        <Rotation
          title="Rotate the secret"
          onClose={close}
          rotate={async (request) => onSecret(await client.webhooks.rotateSecret(id, request))}
        />
      )}
      {asking === 'delete' && (
        <Confirm
          title="Delete this webhook"
          verb="Delete webhook"
          danger
          onClose={() => setAsking(undefined)}
          work={async () => {
            await client.webhooks.delete(id);
            go('webhooks');
            return 'The webhook is deleted.';
          }}
        >
          <p>Its pending deliveries are canceled. This cannot be undone.</p>
        </Confirm>
      )}
    </Detail>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  return (
    <Facts
      rows={[
        ['Status', <Status key="status" value={webhook.status} />],
        ['Event', webhook.event],
        webhook.threshold !== undefined && [
          'Threshold',
          `${share(webhook.threshold)} of the quota`,
        ],
        ['URL', <code key="url">{webhook.url}</code>],
        webhook.description !== undefined && ['Description', webhook.description],
        ['Token', webhook.hasToken ? 'sent as X-Service-Token' : 'none'],
        ['Identifier', <Id key="id" value={webhook.id} />],
        ['Created', <FullTime key="created" at={webhook.createdAt} />],
        webhook.failingSince !== undefined && [
          'Failing since',
          <FullTime key="failing" at={webhook.failingSince} />,
        ],
      ]}
    />
  );
}

interface DeliveriesProps {
  readonly id: string;
  readonly busy: boolean;
  readonly redeliver: () => void;
}

function Deliveries({ id, busy, redeliver }: DeliveriesProps) {
  const { value, error } = useValue(
    async () => client.webhooks.listDeliveries(id, { limit: 10 }),
    about('delivery.'),
    id,
  );
  const rows = value?.data ?? [];
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
      {rows.some(({ status }) => status === 'failed') && (
        <div class="row">
          <button type="button" disabled={busy} onClick={redeliver}>
            Redeliver what failed this week
          </button>
        </div>
      )}
    </section>
  );
}
