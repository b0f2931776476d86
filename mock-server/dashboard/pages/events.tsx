import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Json } from '../components/code.tsx';
import { Id } from '../components/copy.tsx';
import { Detail, Facts } from '../components/detail.tsx';
import { Filters } from '../components/filters.tsx';
import { backTo, ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import type { Column } from '../components/table.tsx';
import { FullTime, LogTime } from '../components/time.tsx';
import { TriggerDialog } from '../components/trigger-dialog.tsx';
import { useList } from '../components/use-list.ts';
import { useValue } from '../components/use-value.ts';
import { href } from '../router.ts';
import { control, type LogEvent } from '../state/control.ts';
import { tenant } from '../state/session.ts';

const columns: readonly Column<LogEvent>[] = [
  { title: 'Time', width: '136px', render: (row) => <LogTime at={row.at} /> },
  { title: 'Type', width: '220px', link: true, render: (row) => row.type },
  { title: 'Subject', class: 'in-wide', render: (row) => <Subject id={row.subject} /> },
  {
    title: 'Data',
    class: 'in-wide',
    render: (row) => row.data && <code class="muted">{JSON.stringify(row.data)}</code>,
  },
];

/** A prefix that ends with a dot matches every type that starts with it. */
const types = [
  'generation.',
  'delivery.',
  'delivery.attempted',
  'delivery.failed',
  'webhook.',
  'api_key.',
  'invoice.',
  'usage.',
  'data.',
];

const pages: Readonly<Record<string, string>> = {
  gen: 'generations',
  key: 'keys',
  wh: 'webhooks',
  dlv: 'deliveries',
  inv: 'billing',
};

function Subject({ id }: { id: string | undefined }) {
  if (!id) return null;
  const page = pages[id.split('_')[0] ?? ''];
  if (!page) return <code>{id}</code>;
  return (
    <a class="mono" href={href(page, id)}>
      {id}
    </a>
  );
}

export function EventsPage() {
  const [triggering, setTriggering] = useState(false);
  const organization = tenant.value?.organization;
  const feed = useList('events', {
    key: (row) => row.id,
    base: organization ? { organization } : {},
    touched: ({ events }) => (events.length > 0 ? [] : undefined),
  });
  const trigger = (
    <button type="button" class="primary" onClick={() => setTriggering(true)}>
      Trigger an event
    </button>
  );
  return (
    <ListPage
      page="events"
      title="Events"
      actions={trigger}
      feed={feed}
      columns={columns}
      tools={
        <Filters
          hint="Search id, subject, data"
          event={types}
          code="Code, e.g. timeout"
          url="Part of the URL"
        />
      }
      empty={<NoEvents>{trigger}</NoEvents>}
      detail={(id) => <EventDetail id={id} />}
    >
      {triggering && <TriggerDialog onClose={() => setTriggering(false)} />}
    </ListPage>
  );
}

function NoEvents({ children }: { children: ComponentChildren }) {
  return (
    <Empty title="No events yet">
      <p class="muted">
        Every change on the server is logged here: generations, keys, deliveries and their attempts,
        invoices. Tests read the same log.
      </p>
      {children}
    </Empty>
  );
}

function EventDetail({ id }: { id: string }) {
  const { value } = useValue(
    async () => (await control.search('events', { ids: [id] })).data,
    undefined,
    id,
  );
  const event = value?.[0];
  return (
    <Detail title={event?.type ?? id} back={backTo('events')}>
      {event ? (
        <>
          <Facts
            rows={[
              ['Time', <FullTime key="at" at={event.at} />],
              event.subject !== undefined && [
                'Subject',
                <Subject key="subject" id={event.subject} />,
              ],
              event.project !== undefined && [
                'Project',
                <Id key="project" value={event.project} />,
              ],
            ]}
          />
          {event.data && <Json value={event.data} what="the data" />}
        </>
      ) : (
        value && <p class="muted">This event is no longer in the log.</p>
      )}
    </Detail>
  );
}
