import { useState } from 'preact/hooks';
import type { Webhook, WebhookWithSecret } from '../../../src/index.ts';
import { type SystemEvent, systemEvents } from '../../domain/event-names.ts';
import { client } from '../state/session.ts';
import { useAction } from './action.ts';
import { plainOptions, SelectField, TextField } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { fieldError } from './problem.tsx';

interface WebhookFormProps {
  /** The webhook to edit; without it, a new one is registered. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  readonly onCreated?: (webhook: WebhookWithSecret) => void;
}

/** The form's texts as typed. */
interface Draft {
  readonly event: SystemEvent;
  readonly url: string;
  readonly description: string;
  /** In percent. */
  readonly threshold: string;
  readonly token: string;
  readonly secret: string;
}

export function WebhookForm({ webhook, onClose, onCreated }: WebhookFormProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(webhook));
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const save = useAction(async () => {
    const { event, url, description, threshold, token, secret } = draft;
    const fields = {
      url,
      ...((description || webhook?.description) && { description }),
      ...(event === 'usage_threshold' && { threshold: Number(threshold) / 100 }),
      ...(token && { token }),
    };
    if (webhook) {
      await client.webhooks.update(webhook.id, fields);
      onClose();
      return 'Saved. Pending deliveries use the new settings too.';
    }
    onCreated?.(await client.webhooks.create({ event, ...fields, ...(secret && { secret }) }));
    return undefined;
  });
  return (
    <FormDialog
      title={webhook ? 'Edit webhook' : 'Register a webhook'}
      action={save}
      submit={webhook ? 'Save' : 'Register webhook'}
      onClose={onClose}
    >
      <EventFields draft={draft} set={set} error={save.error} editing={webhook !== undefined} />
      <TextField
        label="URL"
        hint="HTTPS; http://localhost works on this machine."
        error={fieldError(save.error, '/url')}
        type="url"
        required
        class="mono"
        placeholder="https://app.example/hooks"
        value={draft.url}
        set={(url) => set({ url })}
      />
      <TextField
        label="Description"
        error={fieldError(save.error, '/description')}
        maxLength={500}
        value={draft.description}
        set={(description) => set({ description })}
      />
      <TextField
        label="Token"
        hint={
          webhook?.hasToken
            ? 'Leave empty to keep the current one. Sent as X-Service-Token by default.'
            : 'Optional, 16 to 256 characters. Sent with every delivery as X-Service-Token by default.'
        }
        error={fieldError(save.error, '/token')}
        class="mono"
        assist={false}
        value={draft.token}
        set={(token) => set({ token })}
      />
      {!webhook && (
        <TextField
          label="Secret"
          hint="Leave empty to generate one. Otherwise: whsec_ followed by 24 to 64 bytes in base64."
          error={fieldError(save.error, '/secret')}
          class="mono"
          assist={false}
          value={draft.secret}
          set={(secret) => set({ secret })}
        />
      )}
    </FormDialog>
  );
}

function draftOf(webhook: Webhook | undefined): Draft {
  return {
    event: (webhook?.event as SystemEvent | undefined) ?? 'usage_threshold',
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    threshold: String((webhook?.threshold ?? 0.9) * 100),
    token: '',
    secret: '',
  };
}

interface EventFieldsProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
  readonly error: unknown;
  readonly editing: boolean;
}

function EventFields({ draft, set, error, editing }: EventFieldsProps) {
  return (
    <div class="fields">
      <SelectField
        label="Event"
        error={fieldError(error, '/event')}
        disabled={editing}
        options={plainOptions(systemEvents)}
        value={draft.event}
        set={(event) => set({ event })}
      />
      {draft.event === 'usage_threshold' ? (
        <TextField
          label="Threshold, % of the quota"
          error={fieldError(error, '/threshold')}
          type="number"
          min="1"
          max="100"
          step="any"
          value={draft.threshold}
          set={(threshold) => set({ threshold })}
        />
      ) : (
        <span />
      )}
    </div>
  );
}
