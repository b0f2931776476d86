import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Webhook, WebhookWithSecret } from '../../../src/index.ts';
import { systemEvents } from '../../domain/event-names.ts';
import { WebhookStatus } from '../components/badge.tsx';
import { Filters } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import { SecretDialog } from '../components/secret.tsx';
import { SigningSecretDialog } from '../components/signing-secret.tsx';
import type { Column } from '../components/table.tsx';
import { Middle } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { subjectsOf, useList } from '../components/use-list.ts';
import { WebhookDetail } from '../components/webhook-detail.tsx';
import { WebhookForm } from '../components/webhook-form.tsx';
import { share, shortId } from '../logic/format.ts';
import { client, role, tenant } from '../state/session.ts';

const columns: readonly Column<Webhook>[] = [
  {
    title: 'Webhook',
    width: '118px',
    class: 'in-wide spare',
    render: (row) => <code>{shortId(row.id)}</code>,
  },
  { title: 'Status', width: '104px', render: (row) => <WebhookStatus webhook={row} /> },
  {
    title: 'Event',
    width: '196px',
    class: 'in-wide keep',
    render: (row) => <EventName webhook={row} />,
  },
  {
    title: 'URL',
    link: true,
    render: (row) => (
      <>
        <Middle text={row.url} />
        <span class="in-narrow code-line">
          <EventName webhook={row} />
        </span>
      </>
    ),
  },
  {
    title: 'Description',
    width: '180px',
    class: 'in-wide spare',
    render: (row) => row.description,
  },
  {
    title: 'Created',
    width: '112px',
    class: 'in-wide',
    render: (row) => <Time at={row.createdAt} />,
  },
];

function EventName({ webhook: { event, threshold } }: { webhook: Webhook }) {
  return (
    <>
      {event}
      {threshold !== undefined && <span class="muted"> at {share(threshold)}</span>}
    </>
  );
}

export function WebhooksPage() {
  const [dialog, setDialog] = useState<'register' | 'signing-secret'>();
  const [created, setCreated] = useState<WebhookWithSecret>();
  const project = tenant.value?.project;
  const feed = useList('webhooks', {
    key: (row) => row.id,
    base: project ? { project } : {},
    touched: subjectsOf('webhook.'),
    // A member gets the API's own rejection.
    allowed: async () => role.peek() === 'member' && client.webhooks.list({ limit: 1 }),
  });
  const close = () => setDialog(undefined);
  const register = (
    <button type="button" class="primary" onClick={() => setDialog('register')}>
      Register webhook
    </button>
  );
  return (
    <ListPage
      page="webhooks"
      title="Webhooks"
      actions={
        <>
          <button type="button" onClick={() => setDialog('signing-secret')}>
            Signing secret…
          </button>
          {register}
        </>
      }
      feed={feed}
      columns={columns}
      tools={
        <Filters
          hint="Search id, description"
          status={['enabled', 'failing', 'disabled']}
          event={systemEvents}
          url="Part of the URL"
        />
      }
      empty={<NoWebhooks>{register}</NoWebhooks>}
      detail={(id) => <WebhookDetail id={id} onSecret={setCreated} />}
    >
      {dialog === 'register' && (
        <WebhookForm
          onClose={close}
          onCreated={(next) => {
            close();
            setCreated(next);
            void feed.refresh();
          }}
        />
      )}
      {dialog === 'signing-secret' && <SigningSecretDialog onClose={close} />}
      {created && (
        <SecretDialog
          title={`Secret of ${shortId(created.id)}`}
          secret={created.secret}
          what="secret"
          onClose={() => setCreated(undefined)}
        >
          <p>
            <strong>This secret is shown only once.</strong> Configure your receiver with it now: it
            verifies every delivery of this webhook.
          </p>
        </SecretDialog>
      )}
    </ListPage>
  );
}

function NoWebhooks({ children }: { children: ComponentChildren }) {
  return (
    <Empty title="No webhooks yet">
      <p class="muted">
        Register a URL for a system event, and the service posts a signed delivery to it whenever
        the event happens. It retries for three days until the response is 2xx. The URL must use
        HTTPS; on this machine <code>http://localhost</code> works too.
      </p>
      {children}
    </Empty>
  );
}
