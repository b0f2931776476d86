import { useState } from 'preact/hooks';
import { useAction } from '../components/action.ts';
import { Badge, Status } from '../components/badge.tsx';
import { Confirm } from '../components/confirm.tsx';
import { Id } from '../components/copy.tsx';
import { Detail, Facts } from '../components/detail.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Empty } from '../components/empty.tsx';
import { FeedTable } from '../components/feed-table.tsx';
import { Field } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { faultAt, Problem } from '../components/problem.tsx';
import { SecretDialog } from '../components/secret.tsx';
import { FullTime, Time } from '../components/time.tsx';
import { about, following, useFeed } from '../components/use-feed.ts';
import { useValue } from '../components/use-value.ts';
import type { Column } from '../components/virtual-table.tsx';
import { shortId } from '../logic/format.ts';
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
    width: '88px',
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
        <CreateDialog
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

interface CreateDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (key: ApiKeyWithSecret) => void;
}

function CreateDialog({ onClose, onCreated }: CreateDialogProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<'admin' | 'member'>('member');
  const [expiry, setExpiry] = useState('');
  const create = useAction(async () => {
    onCreated(
      await client.apiKeys.create({
        role,
        ...(name && { name }),
        ...(expiry && { expiresAt: new Date(`${expiry}:00Z`).toISOString() }),
      }),
    );
    return undefined;
  });
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <Field
          label="Name"
          hint="For people, up to 100 characters."
          fault={faultAt(create.error, '/name')}
        >
          <input
            value={name}
            maxLength={100}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <div class="fields">
          <Field label="Role" hint="A member generates and reads; an admin does everything.">
            <select
              value={role}
              onChange={({ currentTarget }) => setRole(currentTarget.value as 'admin' | 'member')}
            >
              <option value="member">member</option>
              <option value="admin">admin</option>
            </select>
          </Field>
          <Field
            label="Expires (UTC)"
            hint="Empty: never."
            fault={faultAt(create.error, '/expiresAt')}
          >
            <input
              type="datetime-local"
              value={expiry}
              onInput={({ currentTarget }) => setExpiry(currentTarget.value)}
            />
          </Field>
        </div>
        <Problem error={create.error} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={create.busy}>
            Create key
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const graces = [
  [0, 'none: the old key stops at once'],
  [3600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '7 days'],
] as const;

function KeyDetail({ id, onNew }: { id: string; onNew: (key: ApiKeyWithSecret) => void }) {
  const { value, error, reload } = useValue<ApiKey>(
    async () => client.apiKeys.get(id),
    about('api_key.'),
    id,
  );
  const [asking, setAsking] = useState<'revoke' | 'regenerate'>();
  const [grace, setGrace] = useState(0);
  const close = () => {
    setAsking(undefined);
    reload();
  };
  return (
    <Detail title={value?.name ?? shortId(id)} back={href('keys')}>
      <Problem error={error} />
      {value && (
        <>
          <Facts
            rows={[
              ['Identifier', <Id key="id" value={value.id} />],
              ['Key', <code key="hint">{value.hint}</code>],
              ['Status', <Status key="status" value={value.status} />],
              ['Role', value.role],
              ['Created', <FullTime key="created" at={value.createdAt} />],
              ['Created by', <code key="by">{value.createdBy}</code>],
              ['Last used', <FullTime key="used" at={value.lastUsedAt} />],
              ['Expires', value.expiresAt ? <FullTime key="exp" at={value.expiresAt} /> : 'never'],
              value.revokedAt !== undefined && [
                'Revoked',
                <FullTime key="revoked" at={value.revokedAt} />,
              ],
              value.regeneratedFrom !== undefined && [
                'Replaces',
                <a key="from" class="mono" href={href('keys', value.regeneratedFrom)}>
                  {shortId(value.regeneratedFrom)}
                </a>,
              ],
            ]}
          />
          {value.status === 'active' && (
            <div class="row">
              <button type="button" onClick={() => setAsking('regenerate')}>
                Regenerate…
              </button>
              <button type="button" class="danger" onClick={() => setAsking('revoke')}>
                Revoke…
              </button>
            </div>
          )}
        </>
      )}
      {asking === 'revoke' && value && (
        <Confirm
          title={`Revoke “${value.name}”`}
          verb="Revoke key"
          danger
          onClose={close}
          work={async () => {
            await client.apiKeys.revoke(id);
            return `“${value.name}” is revoked.`;
          }}
        >
          <p>
            Calls with this key are refused from now on with 401 <code>revoked_api_key</code>. This
            cannot be undone.
          </p>
        </Confirm>
      )}
      {asking === 'regenerate' && value && (
        <Confirm
          title={`Regenerate “${value.name}”`}
          verb="Regenerate key"
          onClose={close}
          work={async () => {
            onNew(await client.apiKeys.regenerate(id, { gracePeriodSeconds: grace }));
            return undefined;
          }}
        >
          <p>A new key with the same name, role and expiry takes its place.</p>
          <Field label="Grace period" hint="How long the old key still works beside the new one.">
            <select
              value={grace}
              onChange={({ currentTarget }) => setGrace(Number(currentTarget.value))}
            >
              {graces.map(([seconds, name]) => (
                <option key={seconds} value={seconds}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </Confirm>
      )}
    </Detail>
  );
}
