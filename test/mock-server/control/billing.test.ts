import { expect, test } from 'vitest';
import { ControlError } from '../../../mock-server/index.ts';
import { GENERATE, listening } from '../service/helpers.ts';

const counted = {
  generator: async function* () {
    yield 'text';
    return { promptTokens: 500, completionTokens: 501 };
  },
};

async function invoiced(event: string) {
  const on = await listening(event, counted);
  await on.ok('POST', GENERATE, { prompt: 'p' });
  await on.mock.clock.advance('31 days');
  const [invoice] = on.mock.billing.list();
  return { ...on, invoice: invoice as NonNullable<typeof invoice> };
}

test('a month with usage ends in one open invoice, at a cent for every 1 000 tokens begun', async () => {
  const { mock, invoice, ok } = await invoiced('invoice_paid');
  expect(invoice).toMatchObject({
    organization: mock.organization,
    amountDue: 2,
    amountPaid: 0,
    currency: 'usd',
    status: 'open',
    periodStart: '2026-01-01T00:00:00.000Z',
    periodEnd: '2026-02-01T00:00:00.000Z',
  });
  await mock.clock.advance('60 days');
  expect(mock.billing.list()).toHaveLength(1);
  await ok('POST', GENERATE, { prompt: 'p' });
  await mock.clock.advance('31 days');
  expect(mock.billing.list()).toHaveLength(2);
});

test('an invoice is created when its month ends, not when someone reads it', async () => {
  const { mock } = await invoiced('invoice_paid');
  const made = mock.events().find(({ type }) => type === 'invoice.open');
  expect(made?.at).toBe('2026-02-01T00:00:00.000Z');
});

test('paying sends invoice_paid once, and a paid invoice cannot be paid again', async () => {
  const { mock, invoice, received } = await invoiced('invoice_paid');
  const paid = mock.billing.pay(invoice.id);
  expect(paid).toMatchObject({ status: 'paid', amountPaid: 2 });
  await mock.settle();
  const { organization, ...facts } = paid;
  const occurredAt = '2026-02-01T00:00:00.000Z';
  expect(received).toEqual([{ event: 'invoice_paid', organization, occurredAt, invoice: facts }]);
  expect(() => mock.billing.pay(invoice.id)).toThrow(ControlError);
  expect(() => mock.billing.fail(invoice.id)).toThrow('already paid');
});

test('a failed payment has a reason and can be retried', async () => {
  const { mock, invoice, received } = await invoiced('invoice_payment_failed');
  mock.billing.fail(invoice.id, 'insufficient_funds');
  await mock.settle();
  expect(received).toMatchObject([
    {
      event: 'invoice_payment_failed',
      invoice: { id: invoice.id, status: 'payment_failed', failureReason: 'insufficient_funds' },
    },
  ]);
  const paid = mock.billing.pay(invoice.id);
  expect(paid).toMatchObject({ status: 'paid' });
  expect(paid).not.toHaveProperty('failureReason');
});

test('an unknown invoice is not found, and another organization has no invoices', async () => {
  const { mock } = await invoiced('invoice_paid');
  expect(() => mock.billing.pay('inv_nope')).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
  const { organization } = mock.createOrganization();
  expect(mock.billing.list({ organization })).toEqual([]);
});
