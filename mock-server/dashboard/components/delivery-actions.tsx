import { useState } from 'preact/hooks';
import { headerLines, replayCommand, sentHeaders, toleranceS } from '../logic/delivery.ts';
import { clockTime } from '../logic/format.ts';
import type { SentDelivery } from '../state/control.ts';
import { client } from '../state/session.ts';
import { showToast } from '../state/toasts.ts';
import { useAction } from './action.ts';
import { Code } from './code.tsx';
import { copyText, download } from './copy.tsx';
import { Problem } from './problem.tsx';
import { ResendDialog } from './resend-dialog.tsx';

interface DeliveryActionsProps {
  readonly delivery: SentDelivery;
  readonly onSent: () => void;
}

/** The actions on a delivery: resend it, unchanged or edited, copy it as curl, or save it for `contentgen doctor`. */
export function DeliveryActions({ delivery, onSent }: DeliveryActionsProps) {
  const [editing, setEditing] = useState(false);
  const [saved, setSaved] = useState('');
  const { id, attempts, status } = delivery;
  const last = attempts.at(-1);
  const send = useAction(async () => {
    await client.webhooks.redeliver(id);
    onSent();
    return status === 'pending'
      ? 'The next attempt starts now.'
      : 'Resent with the same body and webhook-id.';
  });
  const copyCurl = async () => {
    if (!(await copyText(replayCommand(delivery, last)))) return;
    const until = last && clockTime(Date.parse(last.at) + toleranceS * 1000).slice(0, 8);
    showToast(`Copied. Receivers accept this signature until ${until} UTC.`);
  };
  const save = () => {
    if (!last) return;
    download(`${id}.headers`, `${headerLines(sentHeaders(last))}\n`, 'text/plain');
    download(`${id}.body`, delivery.body, 'application/octet-stream');
    setSaved(`npx contentgen doctor --secret whsec_… --headers ${id}.headers --body ${id}.body`);
  };
  return (
    <>
      <div class="row">
        <button type="button" class="primary" disabled={send.busy} onClick={() => void send.run()}>
          Send now
        </button>
        <button type="button" onClick={() => setEditing(true)}>
          Edit and resend…
        </button>
        <button type="button" disabled={!last} onClick={() => void copyCurl()}>
          Copy as curl
        </button>
        <button type="button" disabled={!last} onClick={save}>
          Save for doctor
        </button>
      </div>
      <Problem error={send.error} />
      {saved && (
        <div class="form">
          <p class="hint">
            Saved two files. To check the signature, run this with your receiver's secret:
          </p>
          <Code text={saved} what="the command" />
        </div>
      )}
      {editing && <ResendDialog delivery={delivery} onClose={() => setEditing(false)} />}
    </>
  );
}
