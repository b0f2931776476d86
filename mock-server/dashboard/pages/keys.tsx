import { useState } from 'preact/hooks';
import { Badge, Status } from '../components/badge.tsx';
import { Empty } from '../components/empty.tsx';
import { FeedTable } from '../components/feed-table.tsx';
import { KeyDetail } from '../components/key-detail.tsx';
import { KeyForm } from '../components/key-form.tsx';
import { Page } from '../components/page.tsx';
import { SecretDialog } from '../components/secret.tsx';
import { Time } from '../components/time.tsx';
import { following, useFeed } from '../components/use-feed.ts';
import type { Column } from '../components/virtual-table.tsx';
import { href, route } from '../router.ts';
import { client } from '../state/session.ts';
import type { ApiKey, ApiKeyWithSecret } from '../state/types.ts';

const key = (row: ApiKey) => row.id;

const columns: readonly Column<ApiKey>[] = [
  { title: 'Name', render: (row) => row.name },
  { title: 'Key', width: '150px', render: (row) => <code>{row.hint}</code> },
  { title: 'Status', width: '104px', render: (row) => <Status value={row.status} /> },
  {
    title: 'Role',
    width: '100px',
    class: 'in-wide',
    render: (row) => <Badge tone="plain">{row.role}</Badge>,
  },
  {
    title: 'Created',
    width: '116px',
    class: 'in-wide',
    render: (row) => <Time at={row.createdAt} />,
  },
  {
    title: 'Last used',
    width: '116px',
    class: 'in-wide',
    render: (row) => <Time at={row.lastUsedAt} />,
  },
];

export function KeysPage() {
  const { id } = route.value;
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<ApiKeyWithSecret>();
  const feed = useFeed<ApiKey>({
    read: async (cursor) => {
      const page = await client.apiKeys.list({
        limit: 100,
        ...(cursor !== undefined && { cursor }),
      });
      return { data: page.data, nextCursor: page.nextCursor };
    },
    key,
    follow: following('api_key.', key, (subject) => client.apiKeys.get(subject)),
  });
  const create = (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      Create key
    </button>
  );
  return (
    <Page title="API keys" actions={create}>
      <div class="split" data-open={id !== undefined || undefined}>
        <FeedTable
          label="API keys"
          feed={feed}
          columns={columns}
          rowKey={key}
          linkTo={(row) => href('keys', row.id)}
          current={id}
          empty={
            <Empty title="No keys yet">
              <p class="muted">
                A key goes in the header <code>X-API-Key</code>. The service keeps its hash alone,
                so it is shown once, when it is made.
              </p>
              {create}
            </Empty>
          }
        />
        {id !== undefined && <KeyDetail id={id} onNew={setCreated} />}
      </div>
      {creating && (
        <KeyForm
          onClose={() => setCreating(false)}
          onCreated={(next) => {
            setCreating(false);
            setCreated(next);
            void feed.refresh();
          }}
        />
      )}
      {created && (
        <SecretDialog
          title={`Key “${created.name}”`}
          secret={created.key}
          what="key"
          onClose={() => setCreated(undefined)}
        >
          <p>
            <strong>This key is shown once.</strong> Store it now: the service keeps only its hash
            and cannot show it again.
          </p>
        </SecretDialog>
      )}
    </Page>
  );
}
