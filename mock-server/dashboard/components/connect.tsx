import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Tenant as Access } from '../../index.ts';
import { href } from '../router.ts';
import { control, origin } from '../state/control.ts';
import { client, role, tenant } from '../state/session.ts';
import { useAction } from './action.ts';
import { Code } from './code.tsx';
import { CopyButton } from './copy.tsx';
import { Problem } from './problem.tsx';
import { useValue } from './use-value.ts';

/** What an application needs to use this server: base URL, keys and signing secret, and an `.env` with them. */
export function ConnectCard({ open }: { open: boolean }) {
  const { value, error } = useValue(readAccess);
  const [opened, setOpened] = useState(open);
  const [shown, setShown] = useState(false);
  const [key, setKey] = useState<string>();
  const create = useAction(async () => {
    const { key: created } = await client.apiKeys.create({ name: 'dashboard', role: 'admin' });
    setKey(created);
    return 'Created the key “dashboard”.';
  });
  const adminKey = key ?? value?.adminKey;
  const env = (show: (secret: string) => string) => envOf(adminKey, value?.signingSecret, show);
  return (
    <section class="card" aria-label="Connect your application">
      <header>
        <h2>Connect your application</h2>
        <code>{origin}</code>
        <span class="row">
          <CopyButton text={env((secret) => secret)} what="the .env" label="Copy .env" />
          <button type="button" aria-expanded={opened} onClick={() => setOpened(!opened)}>
            Keys and secrets
          </button>
        </span>
      </header>
      <Problem error={error ?? create.error} />
      {opened && (
        <div class="connect-grid">
          <dl class="facts">
            <Row name="Base URL">
              <Secret value={origin} what="the base URL" shown />
            </Row>
            <Row name="Admin key">
              {adminKey ? (
                <Secret value={adminKey} what="the admin key" shown={shown} />
              ) : (
                <span class="row">
                  <span class="muted">only its hash is stored</span>
                  <button
                    type="button"
                    class="plain"
                    disabled={create.busy}
                    onClick={() => void create.run()}
                  >
                    Create a key
                  </button>
                </span>
              )}
            </Row>
            {value?.memberKey && (
              <Row name="Member key">
                <Secret value={value.memberKey} what="the member key" shown={shown} />
              </Row>
            )}
            {value?.signingSecret && (
              <Row name="Signing secret">
                <Secret value={value.signingSecret} what="the signing secret" shown={shown} />
              </Row>
            )}
            <dt />
            <dd class="row">
              <button type="button" aria-pressed={shown} onClick={() => setShown(!shown)}>
                {shown ? 'Hide secrets' : 'Show secrets'}
              </button>
              <a class="small" href={href('keys')}>
                All keys
              </a>
            </dd>
          </dl>
          <Code
            text={env(shown ? (secret) => secret : masked)}
            copied={env((secret) => secret)}
            what="the .env file"
          />
        </div>
      )}
    </section>
  );
}

function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

interface SecretProps {
  readonly value: string;
  readonly what: string;
  readonly shown: boolean;
}

function Secret({ value, what, shown }: SecretProps) {
  return (
    <span class="id">
      <code>{shown ? value : masked(value)}</code>
      <CopyButton text={value} what={what} />
    </span>
  );
}

/** `cg_test_…wxyz`. */
function masked(secret: string): string {
  return `${secret.slice(0, secret.lastIndexOf('_') + 1)}…${secret.slice(-4)}`;
}

function envOf(
  key: string | undefined,
  secret: string | undefined,
  show: (secret: string) => string,
): string {
  return [
    `CONTENTGEN_BASE_URL=${origin}`,
    `CONTENTGEN_API_KEY=${key ? show(key) : ''}`,
    `CONTENTGEN_WEBHOOK_SECRET=${secret ? show(secret) : ''}`,
  ].join('\n');
}

/** The server knows only the keys of its first project. Admins can read their project's signing secret. */
async function readAccess(): Promise<Partial<Access>> {
  const { project } = tenant.peek() ?? {};
  const known = await control.access();
  const own = known.project === project ? known : {};
  if (role.peek() !== 'admin') return own.memberKey ? { memberKey: own.memberKey } : {};
  if (own.signingSecret !== undefined) return own;
  const { secret } = await client.webhooks.getSigningSecret();
  return { ...own, signingSecret: secret };
}
