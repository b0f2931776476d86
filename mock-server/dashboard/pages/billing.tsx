import { useState } from 'preact/hooks';
import { useAction } from '../components/action.ts';
import { Status } from '../components/badge.tsx';
import { Confirm } from '../components/confirm.tsx';
import { TextField } from '../components/field.tsx';
import { Empty, Page } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import { Table } from '../components/table.tsx';
import { isAbout } from '../components/use-list.ts';
import { useValue } from '../components/use-value.ts';
import { day, money } from '../logic/format.ts';
import { href } from '../router.ts';
import { control } from '../state/control.ts';
import { tenant } from '../state/session.ts';

type Invoice = Awaited<ReturnType<typeof control.billing.list>>[number];

export function BillingPage() {
  const { value, error } = useValue(
    () => control.billing.list(tenant.value && { organization: tenant.value.organization }),
    isAbout('invoice.'),
  );
  const [failing, setFailing] = useState<Invoice>();
  const pay = useAction(async (invoice: Invoice) => {
    await control.billing.pay(invoice.id);
    return `Paid ${invoice.number}; invoice_paid was sent.`;
  });
  const rows = value;
  return (
    <Page
      title="Billing"
      intro="Each month with usage ends with one invoice. Paying or failing it sends the event to every webhook that is registered for it."
    >
      <Problem error={error ?? pay.error} />
      {rows && (
        <div class="table-card fit">
          {rows.length === 0 ? (
            <NoInvoices />
          ) : (
            <Invoices
              rows={rows}
              busy={pay.busy}
              pay={(row) => void pay.run(row)}
              fail={setFailing}
            />
          )}
        </div>
      )}
      {failing && <FailDialog invoice={failing} onClose={() => setFailing(undefined)} />}
    </Page>
  );
}

interface InvoicesProps {
  readonly rows: readonly Invoice[];
  readonly busy: boolean;
  readonly pay: (invoice: Invoice) => void;
  readonly fail: (invoice: Invoice) => void;
}

function Invoices({ rows, busy, pay, fail }: InvoicesProps) {
  return (
    <Table
      label="Invoices"
      rows={rows}
      rowKey={(row) => row.id}
      columns={[
        {
          title: 'Invoice',
          render: (row) => (
            <>
              <code>{row.number}</code>
              <span class="in-narrow muted">{money(row.amountDue, row.currency)}</span>
            </>
          ),
        },
        { title: 'Status', render: (row) => <Status value={row.status} /> },
        {
          title: 'Amount',
          class: 'number in-wide',
          render: (row) => money(row.amountDue, row.currency),
        },
        {
          title: 'Period',
          class: 'in-wide',
          render: (row) => `${day(row.periodStart)} to ${day(row.periodEnd)}`,
        },
        {
          title: 'Reason',
          class: 'in-wide',
          render: (row) => row.failureReason ?? '',
        },
        {
          title: 'Actions',
          class: 'number',
          render: (row) =>
            row.status !== 'paid' && (
              <span class="row end">
                <button
                  type="button"
                  class="plain"
                  aria-label={`Pay ${row.number}`}
                  disabled={busy}
                  onClick={() => pay(row)}
                >
                  Pay
                </button>
                <button
                  type="button"
                  class="plain"
                  aria-label={`Fail ${row.number}`}
                  onClick={() => fail(row)}
                >
                  Fail…
                </button>
              </span>
            ),
        },
      ]}
    />
  );
}

function FailDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
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

function NoInvoices() {
  return (
    <Empty title="No invoices yet">
      <p class="muted">
        Generate something, then advance the clock past the end of the month: the usage becomes an
        invoice of one cent per 1 000 tokens, rounded up. To create an invoice immediately, trigger{' '}
        <code>invoice_paid</code>.
      </p>
      <span class="row">
        <a class="button" href={href('time')}>
          Advance the clock
        </a>
        <a class="button" href={href('events')}>
          Trigger an event
        </a>
      </span>
    </Empty>
  );
}
