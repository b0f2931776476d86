import { useState } from 'preact/hooks';
import { useAction } from '../components/action.ts';
import { Attempt } from '../components/attempt.tsx';
import { HttpStatus, Status } from '../components/badge.tsx';
import { Code, prettyText } from '../components/code.tsx';
import { Id } from '../components/copy.tsx';
import { Detail, Facts } from '../components/detail.tsx';
import { Empty } from '../components/empty.tsx';
import { FeedTable } from '../components/feed-table.tsx';
import { FindField } from '../components/find-field.tsx';
import { Page } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import { FullTime, Time } from '../components/time.tsx';
import { about, following, useFeed } from '../components/use-feed.ts';
import { useValue } from '../components/use-value.ts';
import type { Column } from '../components/virtual-table.tsx';
import { shortId } from '../logic/format.ts';
import { href, route } from '../router.ts';
import { readDelivery, readLog, type SentDelivery } from '../state/control.ts';
import { client, tenant } from '../state/session.ts';

const key = (row: SentDelivery) => row.id;

const columns: readonly Column<SentDelivery>[] = [
  { title: 'Delivery', width: '122px', render: (row) => shortId(row.id) },
  { title: 'Status', width: '114px', render: (row) => <Status value={row.status} /> },
  { title: 'Event', width: '178px', class: 'in-wide', render: (row) => row.event },
  { title: 'To', render: (row) => row.url },
  { title: 'Last answer', width: '104px', class: 'in-wide', render: lastAnswer },
  {
    title: 'Attempts',
    width: '84px',
    class: 'number in-wide',
    render: (row) => row.attempts.length,
  },
  {
    title: 'Created',
    width: '116px',
    class: 'in-wide',
    render: (row) => <Time at={row.createdAt} />,
  },
];

function lastAnswer({ attempts }: SentDelivery) {
  const last = attempts.at(-1);
  if (!last) return <span class="muted">—</span>;
  if (last.status !== undefined) return <HttpStatus status={last.status} />;
  return <span class="muted">{last.error?.replace('_', ' ')}</span>;
}

export function DeliveriesPage() {
  const { id, query } = route.value;
  const [find, setFind] = useState(query.get('find') ?? '');
  const organization = tenant.value?.organization;
  const feed = useFeed<SentDelivery>({
    read: (before) => readLog('deliveries', { before, ...(organization && { organization }) }),
    key,
    follow: following('delivery.', key, readDelivery),
  });
  const wanted = find.trim().toLowerCase();
  const rows = feed.rows.value.filter((row) => !wanted || text(row).includes(wanted));
  return (
    <Page title="Deliveries">
      <div class="split" data-open={id !== undefined || undefined}>
        <FeedTable
          label="Deliveries"
          feed={feed}
          rows={rows}
          columns={columns}
          rowKey={key}
          linkTo={(row) => href('deliveries', row.id)}
          current={id}
          tools={
            <FindField hint="Find status, event, URL or id" size={32} value={find} set={setFind} />
          }
          empty={<Nothing filtered={feed.rows.value.length > 0} />}
        />
        {id !== undefined && <DeliveryDetail id={id} />}
      </div>
    </Page>
  );
}

function text({ id, messageId, webhookId, requestId, event, url, status }: SentDelivery): string {
  return [id, messageId, webhookId, requestId, event, url, status].join(' ').toLowerCase();
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No delivery fits">
        <p class="muted">Clear the search to see all of them.</p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing was sent yet">
      <p class="muted">
        The service posts to two kinds of address: the callback URL of a generation, and registered
        webhooks. Each message appears here with its attempts. To receive them on this machine:
      </p>
      <Code
        text="npx contentgen listen --forward-to http://localhost:3000/webhooks"
        what="the command"
      />
      <span class="row">
        <a class="button" href={href('webhooks')}>
          Register a webhook
        </a>
        <a class="button" href={href('generate')}>
          Generate with a callback
        </a>
      </span>
    </Empty>
  );
}

function DeliveryDetail({ id }: { id: string }) {
  const { value, error, reload } = useValue(() => readDelivery(id), about('delivery.'), id);
  const again = useAction(async () => {
    await client.webhooks.redeliver(id);
    reload();
    return 'Queued again: the same bytes under the same webhook-id.';
  });
  return (
    <Detail title={shortId(id)} back={href('deliveries')}>
      <Problem error={error ?? again.error} />
      {value && (
        <>
          <Facts
            rows={[
              ['Status', <Status key="status" value={value.status} />],
              ['Event', value.event],
              ['To', <code key="to">{value.url}</code>],
              ['Delivery', <Id key="id" value={value.id} />],
              ['webhook-id', <Id key="message" value={value.messageId} what="the webhook-id" />],
              value.webhookId !== undefined && [
                'Registration',
                <a key="hook" class="mono" href={href('webhooks', value.webhookId)}>
                  {shortId(value.webhookId)}
                </a>,
              ],
              value.requestId !== undefined && [
                'Generation',
                <a key="generation" class="mono" href={href('generations', value.requestId)}>
                  {shortId(value.requestId)}
                </a>,
              ],
              ['Created', <FullTime key="created" at={value.createdAt} />],
              value.nextAttemptAt !== undefined && [
                'Next attempt',
                <FullTime key="next" at={value.nextAttemptAt} />,
              ],
            ]}
          />
          <div class="row">
            <button
              type="button"
              disabled={again.busy || value.status === 'pending'}
              onClick={() => void again.run()}
            >
              Redeliver
            </button>
            {value.status === 'pending' && (
              <span class="hint">
                It is still on its way. Advance the clock to see its retries.
              </span>
            )}
          </div>
          {value.body !== undefined && (
            <section>
              <h3>Body</h3>
              <Code text={prettyText(value.body)} what="the body" />
            </section>
          )}
          <section>
            <h3>Attempts</h3>
            {value.attempts.length === 0 && <p class="muted">None was made yet.</p>}
            {value.attempts
              .map((attempt, index) => (
                <Attempt
                  key={attempt.at}
                  number={index + 1}
                  attempt={attempt}
                  body={value.body}
                  callback={value.webhookId === undefined}
                  open={index === value.attempts.length - 1}
                />
              ))
              .reverse()}
          </section>
        </>
      )}
    </Detail>
  );
}
