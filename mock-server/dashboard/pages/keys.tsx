import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey, ApiKeyWithSecret } from '../../../src/index.ts';
import { Badge, Status } from '../components/badge.tsx';
import { Filters } from '../components/filters.tsx';
import { KeyDetail } from '../components/key-detail.tsx';
import { KeyForm } from '../components/key-form.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import { SecretDialog } from '../components/secret.tsx';
import type { Column } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { subjectsOf, useList } from '../components/use-list.ts';
import { client, role, tenant } from '../state/session.ts';

const columns: readonly Column<ApiKey>[] = [
  { title: 'Name', link: true, render: (row) => row.name },
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
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<ApiKeyWithSecret>();
  const project = tenant.value?.project;
  const feed = useList('apiKeys', {
    key: (row) => row.id,
    base: project ? { project } : {},
    touched: subjectsOf('api_key.'),
    // Fails for a member, as the public API would.
    allowed: async () => role.peek() === 'member' && client.apiKeys.list({ limit: 1 }),
  });
  const create = (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      Create key
    </button>
  );
  return (
    <ListPage
      page="keys"
      title="API keys"
      actions={create}
      feed={feed}
      columns={columns}
      tools={<Filters hint="Search name, role" status={['active', 'expired', 'revoked']} />}
      empty={<NoKeys>{create}</NoKeys>}
      detail={(id) => <KeyDetail id={id} onNew={setCreated} />}
    >
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
            <strong>This key is shown only once.</strong> Save it now: the service stores only its
            hash and cannot show it again.
          </p>
        </SecretDialog>
      )}
    </ListPage>
  );
}

function NoKeys({ children }: { children: ComponentChildren }) {
  return (
    <Empty title="No keys yet">
      <p class="muted">
        Applications send a key in the <code>X-API-Key</code> header. The service stores only its
        hash, so the key is shown only once, when it is created.
      </p>
      {children}
    </Empty>
  );
}
