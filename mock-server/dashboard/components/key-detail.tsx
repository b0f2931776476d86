import { useState } from 'preact/hooks';
import type { ApiKey, ApiKeyWithSecret } from '../../../src/index.ts';
import { shortId } from '../logic/format.ts';
import { href } from '../router.ts';
import { actorName } from '../state/names.ts';
import { client } from '../state/session.ts';
import { Status } from './badge.tsx';
import { Confirm } from './confirm.tsx';
import { Id } from './copy.tsx';
import { Detail, Facts } from './detail.tsx';
import { SelectField } from './field.tsx';
import { backTo } from './list-page.tsx';
import { Problem } from './problem.tsx';
import { FullTime } from './time.tsx';
import { isAbout } from './use-list.ts';
import { useValue } from './use-value.ts';

const graces = [
  [0, 'None: the old key stops working immediately'],
  [3600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '7 days'],
] as const;

/** One key: its details, and the actions that regenerate or revoke it. */
export function KeyDetail({ id, onNew }: { id: string; onNew: (key: ApiKeyWithSecret) => void }) {
  const { value, error, reload } = useValue<ApiKey>(
    async () => client.apiKeys.get(id),
    isAbout('api_key.'),
    id,
  );
  const [asking, setAsking] = useState<'revoke' | 'regenerate'>();
  const [grace, setGrace] = useState<number>(0);
  const close = () => {
    setAsking(undefined);
    reload();
  };
  return (
    <Detail title={value?.name ?? shortId(id)} back={backTo('keys')}>
      <Problem error={error} />
      {value && (
        <>
          <KeyFacts apiKey={value} />
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
            return `Revoked “${value.name}”.`;
          }}
        >
          <p>
            Calls with this key will be rejected with 401 <code>revoked_api_key</code>. This cannot
            be undone.
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
          <p>A new key with the same name, role and expiry replaces it.</p>
          <SelectField
            label="Grace period"
            hint="How long the old key keeps working."
            options={graces}
            value={grace}
            set={setGrace}
          />
        </Confirm>
      )}
    </Detail>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Facts
      rows={[
        ['Identifier', <Id key="id" value={apiKey.id} />],
        ['Key', <code key="hint">{apiKey.hint}</code>],
        ['Status', <Status key="status" value={apiKey.status} />],
        ['Role', apiKey.role],
        ['Created', <FullTime key="created" at={apiKey.createdAt} />],
        ['Created by', <span key="by">{actorName(apiKey.createdBy)}</span>],
        ['Last used', <FullTime key="used" at={apiKey.lastUsedAt} />],
        ['Expires', apiKey.expiresAt ? <FullTime key="exp" at={apiKey.expiresAt} /> : 'never'],
        apiKey.revokedAt !== undefined && [
          'Revoked',
          <FullTime key="revoked" at={apiKey.revokedAt} />,
        ],
        apiKey.regeneratedFrom !== undefined && [
          'Replaces',
          <a key="from" class="mono" href={href('keys', apiKey.regeneratedFrom)}>
            {shortId(apiKey.regeneratedFrom)}
          </a>,
        ],
      ]}
    />
  );
}
