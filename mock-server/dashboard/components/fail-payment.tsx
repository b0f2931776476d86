import { useState } from 'preact/hooks';
import type { SearchRows } from '../../index.ts';
import { control } from '../state/control.ts';
import { Confirm } from './confirm.tsx';
import { TextField } from './field.tsx';

interface FailPaymentProps {
  readonly invoice: SearchRows['invoices'];
  readonly onClose: () => void;
}

/** Asks for the reason and fails the payment. */
export function FailPayment({ invoice, onClose }: FailPaymentProps) {
  const [reason, setReason] = useState('card_declined');
  return (
    <Confirm
      title={`Fail the payment of ${invoice.number}`}
      verb="Fail payment"
      onClose={onClose}
      work={async () => {
        await control.billing.fail(invoice.id, reason);
        return 'The payment failed; invoice_payment_failed was sent.';
      }}
    >
      <TextField
        label="Reason"
        hint="Sent as failureReason in the event."
        value={reason}
        set={setReason}
      />
    </Confirm>
  );
}
