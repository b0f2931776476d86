import { useState } from 'preact/hooks';
import { type SystemEvent, systemEvents } from '../../domain/event-names.ts';
import { currentTime } from '../state/clock.ts';
import { control } from '../state/control.ts';
import { tenant } from '../state/session.ts';
import { useAction } from './action.ts';
import { plainOptions, SelectField, TextAreaField } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';

export function TriggerDialog({ onClose }: { onClose: () => void }) {
  const [event, setEvent] = useState<SystemEvent>('usage_threshold');
  const [payload, setPayload] = useState(() => sample('usage_threshold'));
  const trigger = useAction(async () => {
    const organization = tenant.value?.organization;
    await control.trigger(event, JSON.parse(payload || '{}'), organization ? { organization } : {});
    onClose();
    return `Triggered ${event} for every webhook registered for it.`;
  });
  return (
    <FormDialog title="Trigger an event" action={trigger} submit="Trigger" onClose={onClose}>
      <SelectField
        label="Event"
        options={plainOptions(systemEvents)}
        value={event}
        set={(name) => {
          setEvent(name);
          setPayload(sample(name));
        }}
      />
      <TextAreaField
        label="Payload"
        hint="JSON. The server fills in missing fields."
        class="mono"
        rows={8}
        assist={false}
        value={payload}
        set={setPayload}
      />
    </FormDialog>
  );
}

function sample(event: SystemEvent): string {
  return JSON.stringify(samplePayload(event, new Date(currentTime())), null, 2);
}

/** An example payload to edit. */
function samplePayload(event: SystemEvent, now: Date): object {
  const startOfMonth = (offset: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString();
  const samples: Readonly<Record<SystemEvent, object>> = {
    usage_threshold: {
      usage: 900_012,
      threshold: 900_000,
      periodStart: startOfMonth(0),
      periodEnd: startOfMonth(1),
    },
    invoice_paid: { invoice: { amountDue: 4200 } },
    invoice_payment_failed: { invoice: { amountDue: 4200, failureReason: 'card_declined' } },
    data_updated: {
      source: 'crm',
      reason: 'ingestion_completed',
      records: 1280,
      updatedAt: now.toISOString(),
    },
  };
  return samples[event];
}
