import { useState } from 'preact/hooks';
import type { SearchRows } from '../../index.ts';
import { day, money } from '../logic/format.ts';
import { href } from '../router.ts';
import { control } from '../state/control.ts';
import { useAction } from './action.ts';
import { Status } from './badge.tsx';
import { Id } from './copy.tsx';
import { Detail, Facts } from './detail.tsx';
import { FailPayment } from './fail-payment.tsx';
import { backTo } from './list-page.tsx';
import { Problem } from './problem.tsx';
import { isAbout } from './use-list.ts';
import { useValue } from './use-value.ts';

/** One invoice, and the actions that pay it or fail its payment. */
export function InvoiceDetail({ id }: { id: string }) {
  const { value, error } = useValue(
    async () => (await control.search('invoices', { ids: [id] })).data,
    isAbout('invoice.'),
    id,
  );
  const invoice = value?.[0];
  return (
    <Detail
      title={invoice?.number ?? 'Invoice'}
      badge={invoice && <Status value={invoice.status} />}
      back={backTo('billing')}
    >
      <Problem error={error} />
      {invoice && <Contents invoice={invoice} />}
      {value && !invoice && <p class="muted">This invoice does not exist on this server.</p>}
    </Detail>
  );
}

function Contents({ invoice }: { invoice: SearchRows['invoices'] }) {
  const { id, status, amountDue, amountPaid, currency, failureReason } = invoice;
  const [failing, setFailing] = useState(false);
  const pay = useAction(async () => {
    await control.billing.pay(id);
    return `Paid ${invoice.number}; invoice_paid was sent.`;
  });
  return (
    <>
      <Problem error={pay.error} />
      {status !== 'paid' && (
        <>
          <div class="row">
            <button type="button" disabled={pay.busy} onClick={() => void pay.run()}>
              Pay
            </button>
            <button type="button" class="danger" onClick={() => setFailing(true)}>
              Fail the payment…
            </button>
          </div>
          <p class="muted small">Both actions send an event to every webhook registered for it.</p>
        </>
      )}
      <Facts
        rows={[
          ['Identifier', <Id key="id" value={id} />],
          ['Amount due', money(amountDue, currency)],
          ['Amount paid', money(amountPaid, currency)],
          ['Period', `${day(invoice.periodStart)} to ${day(invoice.periodEnd)}`],
          failureReason !== undefined && ['Reason', <code key="reason">{failureReason}</code>],
        ]}
      />
      <p class="row">
        <a href={href('deliveries', undefined, { text: id })}>Deliveries</a>
        <a href={href('events', undefined, { text: id })}>Events</a>
      </p>
      {failing && <FailPayment invoice={invoice} onClose={() => setFailing(false)} />}
    </>
  );
}
