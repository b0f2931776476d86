import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Webhook, WebhookWithSecret } from '../../../src/index.ts';
import { Status } from '../components/badge.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import { SecretDialog } from '../components/secret.tsx';
import { SigningSecretDialog } from '../components/signing-secret.tsx';
import { Time } from '../components/time.tsx';
import { useResourceFeed } from '../components/use-feed.ts';
import type { Column } from '../components/virtual-table.tsx';
import { WebhookDetail } from '../components/webhook-detail.tsx';
import { WebhookForm } from '../components/webhook-form.tsx';
import { share, shortId } from '../logic/format.ts';
import { client } from '../state/session.ts';

const columns: readonly Column<Webhook>[] = [
  { title: 'Webhook', width: '116px', render: (row) => shortId(row.id) },
  { title: 'Status', width: '108px', render: (row) => <Status value={row.status} /> },
  {
    title: 'Event',
    width: '216px',
    class: 'in-wide',
    render: (row) => (
      <>
        {row.event}
        {row.threshold !== undefined && <span class="muted"> at {share(row.threshold)}</span>}
      </>
    ),
  },
  { title: 'URL', render: (row) => row.url },
  {
    title: 'Created',
    width: '116px',
    class: 'in-wide',
    render: (row) => <Time at={row.createdAt} />,
  },
];

export function WebhooksPage() {
  const [dialog, setDialog] = useState<'register' | 'signing-secret'>();
  const [created, setCreated] = useState<WebhookWithSecret>();
  const feed = useResourceFeed<Webhook>({
    list: (query) => client.webhooks.list(query),
    get: (id) => client.webhooks.get(id),
    key: (row) => row.id,
    events: 'webhook.',
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
