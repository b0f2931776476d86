import { useState } from 'preact/hooks';
import { shortId } from '../logic/format.ts';
import { href } from '../router.ts';
import { client } from '../state/session.ts';
import type { ApiKey, ApiKeyWithSecret } from '../state/types.ts';
import { Status } from './badge.tsx';
import { Confirm } from './confirm.tsx';
import { Id } from './copy.tsx';
import { Detail, Facts } from './detail.tsx';
import { Field } from './field.tsx';
import { Problem } from './problem.tsx';
import { FullTime } from './time.tsx';
import { about } from './use-feed.ts';
import { useValue } from './use-value.ts';

const graces = [
  [0, 'none: the old key stops at once'],
  [3600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '7 days'],
] as const;

/** One key: what is known of it, regenerate, revoke. */
export function KeyDetail({ id, onNew }: { id: string; onNew: (key: ApiKeyWithSecret) => void }) {
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
