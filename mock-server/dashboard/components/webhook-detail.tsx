import { useState } from 'preact/hooks';
import type { Webhook, WebhookWithSecret } from '../../../src/index.ts';
import { share } from '../logic/format.ts';
import { go } from '../router.ts';
import { client } from '../state/session.ts';
import { type Action, useAction } from './action.ts';
import { WebhookStatus } from './badge.tsx';
import { Confirm } from './confirm.tsx';
import { Id } from './copy.tsx';
import { Detail, Facts } from './detail.tsx';
import { backTo } from './list-page.tsx';
import { Problem } from './problem.tsx';
import { Rotation } from './rotation.tsx';
import { FullTime } from './time.tsx';
import { isAbout } from './use-list.ts';
import { useValue } from './use-value.ts';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';

const disabledReasons: Readonly<Record<string, string>> = {
  gone: 'Disabled because its URL responded with 410 Gone.',
  failing: 'Disabled because every delivery failed for five days.',
  requested: 'Disabled by an API call.',
};

interface WebhookDetailProps {
  readonly id: string;
  readonly onSecret: (webhook: WebhookWithSecret) => void;
}

/** One webhook: its settings, its latest deliveries and its actions. */
export function WebhookDetail({ id, onSecret }: WebhookDetailProps) {
  const { value, error, reload } = useValue<Webhook>(
    async () => client.webhooks.get(id),
    isAbout('webhook.'),
    id,
  );
  const [dialog, setDialog] = useState<DialogName>();
  const act = useAction(async (work: () => Promise<string>) => {
    const done = await work();
    reload();
    return done;
  });
  const close = () => {
    setDialog(undefined);
    reload();
  };
  return (
    <Detail
      title={value?.description ?? value?.event ?? 'Webhook'}
      badge={value && <WebhookStatus webhook={value} />}
      back={backTo('webhooks')}
    >
      <Problem error={error ?? act.error} />
      {value && (
        <>
          {value.status === 'disabled' && (
            <p class="notice warn">
              {disabledReasons[value.disabledReason ?? ''] ?? 'Disabled.'} Events create no
              deliveries until it is enabled again.
            </p>
          )}
          {value.status === 'enabled' && value.failingSince !== undefined && (
            <p class="notice warn">
              <span>
                Every delivery has failed since <FullTime at={value.failingSince} />. After five
                days without a success, the webhook is disabled.
              </span>
            </p>
          )}
          <p class="target">
            <span class="muted">POST</span> {value.url}
          </p>
          <Actions webhook={value} act={act} open={setDialog} />
          <WebhookDeliveries webhook={value} act={act} />
          <WebhookFacts webhook={value} />
        </>
      )}
      {dialog === 'edit' && value && <WebhookForm webhook={value} onClose={close} />}
      {dialog === 'rotate' && (
        <Rotation
          title="Rotate the secret"
          onClose={close}
          rotate={async (request) => onSecret(await client.webhooks.rotateSecret(id, request))}
        />
      )}
      {dialog === 'delete' && <DeleteDialog id={id} onClose={() => setDialog(undefined)} />}
    </Detail>
  );
}

type DialogName = 'edit' | 'rotate' | 'delete';

interface ActionsProps {
  readonly webhook: Webhook;
  readonly act: Action<[work: () => Promise<string>]>;
  readonly open: (dialog: DialogName) => void;
}

function Actions({ webhook: { id, status }, act, open }: ActionsProps) {
  const enabled = status === 'enabled';
  const test = () =>
    act.run(async () => {
      const delivery = await client.webhooks.test(id);
      go('deliveries', delivery.id);
      return 'Sample event queued.';
    });
  const toggle = () =>
    act.run(async () => {
      const { status: now } = await client.webhooks.update(id, {
        status: enabled ? 'disabled' : 'enabled',
      });
      return `Webhook ${now}.`;
    });
  return (
    <div class="row">
      <button
        type="button"
        class="primary"
        disabled={act.busy || !enabled}
        onClick={() => void test()}
      >
        Send a test
      </button>
      <button type="button" onClick={() => open('edit')}>
        Edit…
      </button>
      <button type="button" onClick={() => open('rotate')}>
        Rotate secret…
      </button>
      <button type="button" disabled={act.busy} onClick={() => void toggle()}>
        {enabled ? 'Disable' : 'Enable'}
      </button>
      <button type="button" class="danger" onClick={() => open('delete')}>
        Delete…
      </button>
    </div>
  );
}

function DeleteDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Confirm
      title="Delete this webhook"
      verb="Delete webhook"
      danger
      onClose={onClose}
      work={async () => {
        await client.webhooks.delete(id);
        go('webhooks');
        return 'Webhook deleted.';
      }}
    >
      <p>Its pending deliveries are canceled. This cannot be undone.</p>
    </Confirm>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  return (
    <Facts
      rows={[
        ['Event', webhook.event],
        webhook.threshold !== undefined && [
          'Threshold',
          `${share(webhook.threshold)} of the quota`,
        ],
        webhook.description !== undefined && ['Description', webhook.description],
        ['Token', webhook.hasToken ? 'sent with every delivery' : 'none'],
        ['Identifier', <Id key="id" value={webhook.id} />],
        ['Created', <FullTime key="created" at={webhook.createdAt} />],
      ]}
    />
  );
}
