import { useState } from 'preact/hooks';
import { Status } from '../components/badge.tsx';
import { Empty } from '../components/empty.tsx';
import { FeedTable } from '../components/feed-table.tsx';
import { Page } from '../components/page.tsx';
import { SecretDialog } from '../components/secret.tsx';
import { SigningSecretDialog } from '../components/signing-secret.tsx';
import { Time } from '../components/time.tsx';
import { following, useFeed } from '../components/use-feed.ts';
import type { Column } from '../components/virtual-table.tsx';
import { WebhookDetail } from '../components/webhook-detail.tsx';
import { WebhookForm } from '../components/webhook-form.tsx';
import { share, shortId } from '../logic/format.ts';
import { href, route } from '../router.ts';
import { client } from '../state/session.ts';
import type { Webhook, WebhookWithSecret } from '../state/types.ts';

const key = (row: Webhook) => row.id;

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
  const { id } = route.value;
  const [creating, setCreating] = useState(false);
  const [signing, setSigning] = useState(false);
  const [shown, setShown] = useState<WebhookWithSecret>();
  const feed = useFeed<Webhook>({
    read: async (cursor) => {
      const page = await client.webhooks.list({
        limit: 100,
        ...(cursor !== undefined && { cursor }),
      });
      return { data: page.data, nextCursor: page.nextCursor };
    },
    key,
    follow: following('webhook.', key, (subject) => client.webhooks.get(subject)),
  });
  const register = (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      Register webhook
    </button>
  );
  return (
    <Page
      title="Webhooks"
      actions={
        <>
          <button type="button" onClick={() => setSigning(true)}>
            Signing secret…
          </button>
          {register}
        </>
      }
    >
      <div class="split" data-open={id !== undefined || undefined}>
        <FeedTable
          label="Webhooks"
          feed={feed}
          columns={columns}
          rowKey={key}
          linkTo={(row) => href('webhooks', row.id)}
          current={id}
          empty={
            <Empty title="No webhooks yet">
              <p class="muted">
                Register an address for a system event, and the service posts to it whenever the
                event happens: signed, and tried again for three days until it is answered with 2xx.
                On this machine <code>http://localhost</code> will do; elsewhere it takes HTTPS.
              </p>
              {register}
            </Empty>
          }
        />
        {id !== undefined && <WebhookDetail id={id} onSecret={setShown} />}
      </div>
      {creating && (
        <WebhookForm
          onClose={() => setCreating(false)}
          onCreated={(created) => {
            setCreating(false);
            setShown(created);
            void feed.refresh();
          }}
        />
      )}
      {signing && <SigningSecretDialog onClose={() => setSigning(false)} />}
      {shown && (
        <SecretDialog
          title={`Secret of ${shortId(shown.id)}`}
          secret={shown.secret}
          what="secret"
          onClose={() => setShown(undefined)}
        >
          <p>
            <strong>This secret is shown once.</strong> Give it to the receiver now: it verifies
            every delivery of this registration with it.
          </p>
        </SecretDialog>
      )}
    </Page>
  );
}
