import { useState } from 'preact/hooks';
import { client } from '../state/session.ts';
import type { Webhook, WebhookWithSecret } from '../state/types.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { FormEnd } from './form-end.tsx';
import { faultAt } from './problem.tsx';

export const systemEvents = [
  'usage_threshold',
  'invoice_paid',
  'invoice_payment_failed',
  'data_updated',
] as const;

type SystemEvent = (typeof systemEvents)[number];

interface WebhookFormProps {
  /** Given: this registration is edited; else a new one is made. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  readonly onCreated?: (webhook: WebhookWithSecret) => void;
}

export function WebhookForm({ webhook, onClose, onCreated }: WebhookFormProps) {
  const [event, setEvent] = useState<SystemEvent>(
    (webhook?.event as SystemEvent) ?? 'usage_threshold',
  );
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [threshold, setThreshold] = useState(String((webhook?.threshold ?? 0.9) * 100));
  const [token, setToken] = useState('');
  const [secret, setSecret] = useState('');

  const save = useAction(async () => {
    const fields = {
      url,
      ...((description || webhook?.description) && { description }),
      ...(event === 'usage_threshold' && { threshold: Number(threshold) / 100 }),
      ...(token && { token }),
    };
    if (webhook) {
      await client.webhooks.update(webhook.id, fields);
      onClose();
      return 'Saved. Pending deliveries go by the new settings too.';
    }
    onCreated?.(await client.webhooks.create({ event, ...fields, ...(secret && { secret }) }));
    return undefined;
  });

  return (
    <Dialog title={webhook ? 'Edit webhook' : 'Register a webhook'} onClose={onClose}>
      <form
        class="form"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void save.run();
        }}
      >
        <div class="fields">
          <Field label="Event" fault={faultAt(save.error, '/event')}>
            <select
              value={event}
              disabled={webhook !== undefined}
              onChange={({ currentTarget }) => setEvent(currentTarget.value as SystemEvent)}
            >
              {systemEvents.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          {event === 'usage_threshold' ? (
            <Field label="At % of the quota" fault={faultAt(save.error, '/threshold')}>
              <input
                type="number"
                min="1"
                max="100"
                step="any"
                value={threshold}
                onInput={({ currentTarget }) => setThreshold(currentTarget.value)}
              />
            </Field>
          ) : (
            <span />
          )}
        </div>
        <Field
          label="URL"
          hint="HTTPS; http://localhost works on this machine."
          fault={faultAt(save.error, '/url')}
        >
          <input
            type="url"
            required
            class="mono"
            placeholder="https://app.example/hooks"
            value={url}
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        </Field>
        <Field label="Description" fault={faultAt(save.error, '/description')}>
          <input
            maxLength={500}
            value={description}
            onInput={({ currentTarget }) => setDescription(currentTarget.value)}
          />
        </Field>
        <Field
          label="Token"
          hint={
            webhook?.hasToken
              ? 'Empty keeps the present one. Sent as X-Service-Token.'
              : 'Optional, 16 to 256 characters. Sent as X-Service-Token with every delivery.'
          }
          fault={faultAt(save.error, '/token')}
        >
          <input
            class="mono"
            autocomplete="off"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </Field>
        {!webhook && (
          <Field
            label="Secret"
            hint="Empty: the service makes one. Else whsec_ and the base64 of 24 to 64 bytes."
            fault={faultAt(save.error, '/secret')}
          >
            <input
              class="mono"
              autocomplete="off"
              value={secret}
              onInput={({ currentTarget }) => setSecret(currentTarget.value)}
            />
          </Field>
        )}
        <FormEnd action={save} submit={webhook ? 'Save' : 'Register webhook'} onClose={onClose} />
      </form>
    </Dialog>
  );
}
