import { callbackEvents, systemEvents } from '../../domain/event-names.ts';
import { useAction } from '../components/action.ts';
import { Badge } from '../components/badge.tsx';
import { DeliveryDetail } from '../components/delivery-detail.tsx';
import { Filters } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import type { Column } from '../components/table.tsx';
import { Middle } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { subjectsOf, useList } from '../components/use-list.ts';
import { useValue } from '../components/use-value.ts';
import { causeOf } from '../logic/delivery.ts';
import { conditionsOf, filtersOf } from '../logic/filters.ts';
import { count, shortId } from '../logic/format.ts';
import { href, route } from '../router.ts';
import { currentTime, serverNow } from '../state/clock.ts';
import { control, type SentDelivery } from '../state/control.ts';
import { tenant } from '../state/session.ts';

const columns: readonly Column<SentDelivery>[] = [
  {
    title: 'Delivery',
    width: '110px',
    class: 'in-wide spare',
    render: (row) => <code>{shortId(row.id)}</code>,
  },
  {
    title: 'Status',
    width: '328px',
    class: 'in-wide keep',
    render: (row) => <Cause row={row} />,
  },
  { title: 'Event', width: '180px', class: 'in-wide', render: (row) => row.event },
  {
    title: 'To',
    link: true,
    render: (row) => (
      <>
        <Middle text={row.url} />
        <span class="in-narrow code-line">
          <Cause row={row} />
        </span>
      </>
    ),
  },
  {
    title: 'Attempts',
    width: '84px',
    class: 'number in-wide spare',
    render: (row) => row.attempts.length,
  },
  {
    title: 'Created',
    width: '112px',
    class: 'in-wide spare',
    render: (row) => <Time at={row.createdAt} />,
  },
];

function Cause({ row }: { row: SentDelivery }) {
  const { tone, text } = causeOf(row, serverNow.value);
  return <Badge tone={tone}>{text}</Badge>;
}

const states = ['delivered', 'retrying', 'failed', 'pending', 'canceled'];

export function DeliveriesPage() {
  const organization = tenant.value?.organization;
  const feed = useList('deliveries', {
    key: (row) => row.id,
    base: organization ? { organization } : {},
    touched: subjectsOf('delivery.'),
  });
  return (
    <ListPage
      page="deliveries"
      title="Deliveries"
      actions={<ResendMatching />}
      feed={feed}
      columns={columns}
      tools={
        <Filters
          hint="Search id, body, response"
          status={states}
          event={[...callbackEvents, ...systemEvents]}
          code="Code, e.g. 503"
          url="Part of the URL"
        />
      }
      empty={<NoDeliveries />}
      detail={(id) => <DeliveryDetail id={id} />}
    />
  );
}

/** Resends the failed deliveries that the filters match, or the retrying ones if the status filter asks for those. */
function ResendMatching() {
  const filters = filtersOf(route.value.query);
  const status = filters.status === 'retrying' ? 'retrying' : 'failed';
  const matching = () => ({
    ...conditionsOf({ ...filters, status }, currentTime()),
    ...(tenant.value && { organization: tenant.value.organization }),
  });
  const concerned = filters.status === undefined || filters.status === status;
  const { value: total = 0 } = useValue(
    async () => (await control.search('deliveries', { ...matching(), limit: 1 })).total,
    ({ events }) => events.some(({ type }) => type.startsWith('delivery.')),
    JSON.stringify(filters),
  );
  const send = useAction(async () => {
    const sent = await control.redeliver(matching());
    return `Resent ${count(sent)} ${sent === 1 ? 'delivery' : 'deliveries'}.`;
  });
  return (
    <>
      <Problem error={send.error} />
      {concerned && total > 0 && (
        <button type="button" disabled={send.busy} onClick={() => void send.run()}>
          Resend {count(total)} {status}
        </button>
      )}
    </>
  );
}

function NoDeliveries() {
  return (
    <Empty title="No deliveries yet">
      <p class="muted">
        The service posts to the callback URLs of generations and to registered webhooks. Each
        delivery appears here with its attempts. A URL on this machine works too.
      </p>
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
