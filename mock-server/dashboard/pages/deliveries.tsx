import { useState } from 'preact/hooks';
import { HttpStatus, Status } from '../components/badge.tsx';
import { Code } from '../components/code.tsx';
import { DeliveryDetail } from '../components/delivery-detail.tsx';
import { SearchField } from '../components/field.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { following, useFeed } from '../components/use-feed.ts';
import type { Column } from '../components/virtual-table.tsx';
import { shortId } from '../logic/format.ts';
import { href, route } from '../router.ts';
import { readDelivery, readLog, type SentDelivery } from '../state/control.ts';
import { tenant } from '../state/session.ts';

const columns: readonly Column<SentDelivery>[] = [
  { title: 'Delivery', width: '122px', render: (row) => shortId(row.id) },
  { title: 'Status', width: '114px', render: (row) => <Status value={row.status} /> },
  { title: 'Event', width: '178px', class: 'in-wide', render: (row) => row.event },
  { title: 'To', render: (row) => row.url },
  { title: 'Last response', width: '112px', class: 'in-wide', render: lastResponse },
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

function lastResponse({ attempts }: SentDelivery) {
  const last = attempts.at(-1);
  if (!last) return <span class="muted">—</span>;
  if (last.status !== undefined) return <HttpStatus status={last.status} />;
  return <span class="muted">{last.error?.replace('_', ' ')}</span>;
}

export function DeliveriesPage() {
  const [find, setFind] = useState(route.value.query.get('find') ?? '');
  const organization = tenant.value?.organization;
  const feed = useFeed<SentDelivery>({
    read: (before) => readLog('deliveries', { before, ...(organization && { organization }) }),
    key: (row) => row.id,
    follow: following('delivery.', readDelivery),
  });
  const wanted = find.trim().toLowerCase();
  return (
    <ListPage
      page="deliveries"
      title="Deliveries"
      feed={feed}
      rows={feed.rows.value.filter((row) => !wanted || text(row).includes(wanted))}
      columns={columns}
      tools={
        <SearchField hint="Find status, event, URL or id" size={32} value={find} set={setFind} />
      }
      empty={<NoDeliveries filtered={feed.rows.value.length > 0} />}
      detail={(id) => <DeliveryDetail id={id} />}
    />
  );
}

function text({ id, messageId, webhookId, requestId, event, url, status }: SentDelivery): string {
  return [id, messageId, webhookId, requestId, event, url, status].join(' ').toLowerCase();
}

function NoDeliveries({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No matching deliveries">
        <p class="muted">Clear the search to see all of them.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No deliveries yet">
      <p class="muted">
        The service posts to the callback URL of a generation and to registered webhooks. Each
        delivery appears here with its attempts. To receive them on this machine:
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
