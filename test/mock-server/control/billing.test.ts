import { expect, test } from 'vitest';
import { ControlError } from '../../../mock-server/index.ts';
import { GENERATE, listening } from '../service/helpers.ts';

async function invoiced(event: string) {
  const on = await listening(event, {
    async *generator() {
      yield 'text';
      return { promptTokens: 500, completionTokens: 501 };
    },
  });
  await on.ok('POST', GENERATE, { prompt: 'p' });
  await on.mock.clock.advance('31 days');
  const [invoice] = on.mock.billing.list();
  return { ...on, invoice: invoice as NonNullable<typeof invoice> };
}

test('a month with usage ends in one open invoice, at a cent for every 1 000 tokens begun', async () => {
  const { mock, invoice, ok } = await invoiced('invoice_paid');
  const { organization } = mock;
  expect(invoice).toMatchObject({
    ...{ organization, amountDue: 2, amountPaid: 0, currency: 'usd', status: 'open' },
    periodStart: '2026-01-01T00:00:00.000Z',
    periodEnd: '2026-02-01T00:00:00.000Z',
  });
  await mock.clock.advance('60 days');
  expect(mock.billing.list()).toHaveLength(1);
  const made = mock.events().find(({ type }) => type === 'invoice.open');
  expect(made?.at, 'when its month ends, not when someone reads it').toBe(invoice.periodEnd);
  await ok('POST', GENERATE, { prompt: 'p' });
  await mock.clock.advance('31 days');
  expect(mock.billing.list()).toHaveLength(2);
  const other = mock.createOrganization();
  expect(mock.billing.list({ organization: other.organization })).toEqual([]);
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
  const failed = { status: 'payment_failed', failureReason: 'insufficient_funds' };
  expect(received).toMatchObject([{ invoice: { id: invoice.id, ...failed } }]);
  const paid = mock.billing.pay(invoice.id);
  expect(paid).toMatchObject({ status: 'paid' });
  expect(paid).not.toHaveProperty('failureReason');
});
