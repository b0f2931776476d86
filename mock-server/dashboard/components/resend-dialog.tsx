import { useState } from 'preact/hooks';
import { bytes } from '../logic/format.ts';
import { go } from '../router.ts';
import { control, type SentDelivery } from '../state/control.ts';
import { useAction } from './action.ts';
import { CheckField, TextAreaField } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';

/** Resends a delivery with an edited body, which the server signs. */
export function ResendDialog({
  delivery,
  onClose,
}: {
  delivery: SentDelivery;
  onClose: () => void;
}) {
  const [body, setBody] = useState(delivery.body);
  const [keepMessageId, setKeep] = useState(false);
  const resend = useAction(async () => {
    const { id } = await control.resend(delivery.id, { body, keepMessageId });
    onClose();
    go('deliveries', id);
    return 'Sent as a new delivery, signed by the server.';
  });
  const signer =
    delivery.webhookId === undefined ? "the project's signing secret" : "this webhook's secret";
  return (
    <FormDialog title="Edit and resend" action={resend} submit="Sign and send" onClose={onClose}>
      <TextAreaField
        label="Body"
        hint={`${bytes(body)} bytes, sent exactly as shown and signed with ${signer}. ${validity(body)}`}
        class="mono"
        rows={14}
        assist={false}
        submits
        value={body}
        set={setBody}
      />
      <div class="row">
        <button type="button" onClick={() => setBody(indented(body))}>
          Indent
        </button>
        <button type="button" onClick={() => setBody(delivery.body)}>
          Undo changes
        </button>
      </div>
      <CheckField
        label="Keep the webhook-id: your receiver should treat it as a duplicate"
        value={keepMessageId}
        set={setKeep}
      />
    </FormDialog>
  );
}

function validity(text: string): string {
  try {
    JSON.parse(text);
    return 'Valid JSON.';
  } catch {
    return 'Not valid JSON: your receiver should reject it.';
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
