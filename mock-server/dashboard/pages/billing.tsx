import { useState } from 'preact/hooks';
import type { SearchRows } from '../../index.ts';
import { useAction } from '../components/action.ts';
import { Status } from '../components/badge.tsx';
import { FailPayment } from '../components/fail-payment.tsx';
import { Filters } from '../components/filters.tsx';
import { InvoiceDetail } from '../components/invoice-detail.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import type { Column } from '../components/table.tsx';
import { subjectsOf, useList } from '../components/use-list.ts';
import { day, money } from '../logic/format.ts';
import { href } from '../router.ts';
import { control } from '../state/control.ts';
import { tenant } from '../state/session.ts';

type Invoice = SearchRows['invoices'];

const columns: readonly Column<Invoice>[] = [
  {
    title: 'Invoice',
    width: 'clamp(136px, 15vw, 152px)',
    link: true,
    render: (row) => <code>{row.number}</code>,
  },
  { title: 'Status', render: (row) => <Status value={row.status} /> },
  {
    title: 'Amount',
    width: '76px',
    class: 'number',
    render: (row) => money(row.amountDue, row.currency),
  },
  {
    title: 'Period',
    width: '210px',
    class: 'in-wide',
    render: (row) => `${day(row.periodStart)} to ${day(row.periodEnd)}`,
  },
  {
    title: 'Reason',
    class: 'in-wide spare',
    render: (row) => row.failureReason ?? '',
  },
];

export function BillingPage() {
  const organization = tenant.value?.organization;
  const [failing, setFailing] = useState<Invoice>();
  const pay = useAction(async (invoice: Invoice) => {
    await control.billing.pay(invoice.id);
    return `Paid ${invoice.number}; invoice_paid was sent.`;
  });
  const actions: Column<Invoice> = {
    title: 'Actions',
    width: '116px',
    class: 'number in-wide',
    render: (row) => row.status !== 'paid' && <Actions row={row} pay={pay} fail={setFailing} />,
  };
  const feed = useList('invoices', {
    key: (row) => row.id,
    base: organization ? { organization } : {},
    touched: subjectsOf('invoice.'),
  });
  return (
    <ListPage
      page="billing"
      title="Invoices"
      feed={feed}
      columns={[...columns, actions]}
      tools={
        <>
          <Problem error={pay.error} />
          <Filters
            hint="Search number, amount"
            status={['open', 'paid', 'payment_failed']}
            code="Reason"
          />
        </>
      }
      empty={<NoInvoices />}
      detail={(id) => <InvoiceDetail id={id} />}
    >
      {failing && <FailPayment invoice={failing} onClose={() => setFailing(undefined)} />}
    </ListPage>
  );
}

interface ActionsProps {
  readonly row: Invoice;
  readonly pay: ReturnType<typeof useAction<[Invoice]>>;
  readonly fail: (invoice: Invoice) => void;
}

function Actions({ row, pay, fail }: ActionsProps) {
  return (
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
        onClick={() => fail(row)}
      >
        Fail…
      </button>
    </span>
  );
}

function NoInvoices() {
  return (
    <Empty title="No invoices yet">
      <p class="muted">
        Generate something, then advance the clock past the end of the month: the usage is billed as
        an invoice of one cent per 1 000 tokens, rounded up. To create an invoice immediately,
        trigger <code>invoice_paid</code>.
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
