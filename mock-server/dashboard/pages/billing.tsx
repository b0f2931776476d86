import { useState } from 'preact/hooks';
import { useAction } from '../components/action.ts';
import { Status } from '../components/badge.tsx';
import { Confirm } from '../components/confirm.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import { Table } from '../components/table.tsx';
import { about } from '../components/use-feed.ts';
import { useValue } from '../components/use-value.ts';
import { day, money } from '../logic/format.ts';
import { href } from '../router.ts';
import { control } from '../state/control.ts';
import { isOurs } from '../state/session.ts';

type Invoice = Awaited<ReturnType<typeof control.billing.list>>[number];

export function BillingPage() {
  const { value, error } = useValue(() => control.billing.list(), about('invoice.'));
  const [failing, setFailing] = useState<Invoice>();
  const pay = useAction(async (invoice: Invoice) => {
    await control.billing.pay(invoice.id);
    return `${invoice.number} is paid; invoice_paid was sent.`;
  });
  const rows = value?.filter(isOurs);
  return (
    <Page
      title="Billing"
      intro="A month that ends with usage makes one invoice. Paying or failing it sends the event to every registration that listens."
    >
      <Problem error={error ?? pay.error} />
      {rows && (
        <div class="table-card fit">
          {rows.length === 0 ? (
            <Nothing />
          ) : (
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
                          disabled={pay.busy}
                          onClick={() => void pay.run(row)}
                        >
                          Pay
                        </button>
                        <button
                          type="button"
                          class="plain"
                          aria-label={`Fail ${row.number}`}
                          onClick={() => setFailing(row)}
                        >
                          Fail…
                        </button>
                      </span>
                    ),
                },
              ]}
            />
          )}
        </div>
      )}
      {failing && <FailDialog invoice={failing} onClose={() => setFailing(undefined)} />}
    </Page>
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
      <Field label="Reason" hint="Sent as failureReason in the event.">
        <input value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
      </Field>
    </Confirm>
  );
}

function Nothing() {
  return (
    <Empty title="No invoices yet">
      <p class="muted">
        Generate something, then let the month end: the usage becomes an invoice of one cent per
        started 1 000 tokens. An invoice can also be made at once by triggering{' '}
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
