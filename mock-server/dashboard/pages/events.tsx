import { useState } from 'preact/hooks';
import { useAction } from '../components/action.ts';
import { Json } from '../components/code.tsx';
import { Id } from '../components/copy.tsx';
import { Detail, Facts } from '../components/detail.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Empty } from '../components/empty.tsx';
import { FeedTable } from '../components/feed-table.tsx';
import { Field } from '../components/field.tsx';
import { FormEnd } from '../components/form-end.tsx';
import { Page } from '../components/page.tsx';
import { FullTime, LogTime } from '../components/time.tsx';
import { useFeed } from '../components/use-feed.ts';
import type { Column } from '../components/virtual-table.tsx';
import { systemEvents } from '../components/webhook-form.tsx';
import { samplePayload } from '../logic/samples.ts';
import { href, route } from '../router.ts';
import { currentTime } from '../state/clock.ts';
import { control, type LogEvent, readLog } from '../state/control.ts';
import { isOurs, tenant } from '../state/session.ts';

const key = (row: LogEvent) => row.id;

const columns: readonly Column<LogEvent>[] = [
  { title: 'Time', width: '118px', render: (row) => <LogTime at={row.at} /> },
  { title: 'What', width: '220px', render: (row) => row.type },
  { title: 'About', class: 'in-wide', render: (row) => <Subject id={row.subject} /> },
  {
    title: 'Facts',
    class: 'in-wide',
    render: (row) => row.data && <code class="muted">{JSON.stringify(row.data)}</code>,
  },
];

const pages: Readonly<Record<string, string>> = {
  gen: 'generations',
  key: 'keys',
  wh: 'webhooks',
  dlv: 'deliveries',
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
  const { id } = route.value;
  const [triggering, setTriggering] = useState(false);
  const organization = tenant.value?.organization;
  const feed = useFeed<LogEvent>({
    read: (before) => readLog('events', { before, ...(organization && { organization }) }),
    key,
    follow: (feed, { events }) => feed.prepend(events.filter(isOurs)),
  });
  const event = id === undefined ? undefined : feed.rows.value.find((row) => row.id === id);
  const trigger = (
    <button type="button" class="primary" onClick={() => setTriggering(true)}>
      Trigger an event
    </button>
  );
  return (
    <Page title="Events" actions={trigger}>
      <div class="split" data-open={id !== undefined || undefined}>
        <FeedTable
          label="Events"
          feed={feed}
          columns={columns}
          rowKey={key}
          linkTo={(row) => href('events', row.id)}
          current={id}
          empty={
            <Empty title="Nothing happened yet">
              <p class="muted">
                Every change on the server is one line here: generations, keys, deliveries and their
                attempts, invoices. It is the log that tests read too.
              </p>
              {trigger}
            </Empty>
          }
        />
        {id !== undefined && (
          <Detail title={event?.type ?? id} back={href('events')}>
            {event ? (
              <>
                <Facts
                  rows={[
                    ['At', <FullTime key="at" at={event.at} />],
                    event.subject !== undefined && [
                      'About',
                      <Subject key="about" id={event.subject} />,
                    ],
                    event.project !== undefined && [
                      'Project',
                      <Id key="project" value={event.project} />,
                    ],
                  ]}
                />
                {event.data && <Json value={event.data} what="the facts" />}
              </>
            ) : (
              <p class="muted">This event is not in the log.</p>
            )}
          </Detail>
        )}
      </div>
      {triggering && <TriggerDialog onClose={() => setTriggering(false)} />}
    </Page>
  );
}

function TriggerDialog({ onClose }: { onClose: () => void }) {
  const [event, setEvent] = useState<(typeof systemEvents)[number]>('usage_threshold');
  const [payload, setPayload] = useState(() => sample('usage_threshold'));
  const trigger = useAction(async () => {
    const organization = tenant.value?.organization;
    await control.trigger(event, JSON.parse(payload || '{}'), organization ? { organization } : {});
    onClose();
    return `${event} was sent to every registration that listens to it.`;
  });
  return (
    <Dialog title="Trigger an event" onClose={onClose}>
      <form
        class="form"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void trigger.run();
        }}
      >
        <Field label="Event">
          <select
            value={event}
            onChange={({ currentTarget }) => {
              const name = currentTarget.value as typeof event;
              setEvent(name);
              setPayload(sample(name));
            }}
          >
            {systemEvents.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Payload" hint="JSON. What is left out, the server fills in.">
          <textarea
            class="mono"
            rows={8}
            spellcheck={false}
            value={payload}
            onInput={({ currentTarget }) => setPayload(currentTarget.value)}
          />
        </Field>
        <FormEnd action={trigger} submit="Trigger" onClose={onClose} />
      </form>
    </Dialog>
  );
}

function sample(event: string): string {
  return JSON.stringify(samplePayload(event, currentTime()), null, 2);
}
