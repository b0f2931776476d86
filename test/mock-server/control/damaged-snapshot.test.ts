import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import type { ControlError, Snapshot } from '../../../mock-server/index.ts';
import { contractServer, GENERATE, inbox, listening } from '../service/helpers.ts';

const webhookUrl = 'https://app.example/cb';
const lists = [
  ...(['requests', 'deliveries', 'events', 'generations', 'webhooks'] as const),
  ...(['apiKeys', 'invoices'] as const),
];
const events = ['usage_threshold', 'invoice_paid', 'invoice_payment_failed', 'data_updated'];

/** A server with rows in every table, each of which a test can damage. */
async function full() {
  const on = await listening('data_updated', { rateLimit: { limit: 1000, windowSeconds: 60 } });
  inbox(on, webhookUrl);
  const { mock, ok } = on;
  await ok('POST', '/api/webhooks', { event: 'usage_threshold', url: webhookUrl, threshold: 0.1 });
  const headers = { 'idempotency-key': 'once-1' };
  await ok('POST', GENERATE, { prompt: 'p', webhookUrl }, { headers });
  await ok('POST', GENERATE, { prompt: '[[delay 60s]] later', webhookUrl });
  await ok('POST', '/api/auth/api-keys', { name: 'n' });
  mock.trigger('data_updated');
  mock.trigger('invoice_payment_failed');
  mock.faults.add({ operation: 'getUsage', effect: { status: 500 } });
  await mock.issueToken({ role: 'admin' });
  await mock.settle();
  mock.trigger('data_updated');
  return on;
}

/** Whatever a caller can read of the state, or set off in it. */
async function use({ mock, call }: Awaited<ReturnType<typeof full>>): Promise<void> {
  const { page } = internalsOf(mock);
  page.server();
  page.organizations();
  for (const name of lists) page.list(name, { text: 'a' });
  mock.billing.list();
  mock.coverage();
  mock.clock.waitingFor();
  for (const path of [
    GENERATE,
    '/api/auth/api-keys',
    '/api/webhooks',
    '/api/webhooks/deliveries',
  ]) {
    expect((await call('GET', path)).status).toBe(200);
  }
  for (const event of events) mock.trigger(event as 'data_updated');
  await mock.clock.advance('40 days');
}

type Row = Readonly<Record<string, unknown>>;

function damaged({ state, ...rest }: Snapshot, table: string, row: Row, damage: Row): Snapshot {
  const rows = (state[table] ?? []).map((one) => (one === row ? { ...row, ...damage } : one));
  return { ...rest, state: { ...state, [table]: JSON.parse(JSON.stringify(rows)) } };
}

test.each([undefined, null, 'x', -1, []])(
  'a snapshot with a field that is %j is refused with the row and the field, or it can be served',
  async (value) => {
    const on = await full();
    const { mock } = on;
    const saved = mock.snapshot();
    const told: string[] = [];
    for (const [table, rows] of Object.entries(saved.state)) {
      const row = rows.at(-1) as Row | undefined;
      for (const field of Object.keys(row ?? {})) {
        if (row === undefined || field === 'id') continue;
        const name = `${table} ${row['id']}: `;
        try {
          mock.restore(damaged(saved, table, row, { [field]: value }));
        } catch (error) {
          const [, mistake = ''] = (error as ControlError).message.split(name);
          if (!mistake.includes(field)) told.push(String(error));
          continue;
        }
        await use(on).catch((error: unknown) => told.push(`${name}${field} ${value}: ${error}`));
      }
    }
    expect(told).toEqual([]);
  },
);

test('a fault that could not be added is refused', async () => {
  const { mock } = await full();
  const saved = mock.snapshot();
  const fault = saved.state['faults']?.[0] as Row;
  const effect = { status: 'x' };
  expect(() => mock.restore(damaged(saved, 'faults', fault, { effect }))).toThrow(
    `Failed to restore: faults ${fault['id']}: effect.status must be`,
  );
});

test('a row of an organization or project that the snapshot lacks is refused', () => {
  const { mock } = contractServer();
  const saved = mock.snapshot();
  const key = saved.state['apiKeys']?.[0] as Row;
  for (const field of ['organization', 'project']) {
    expect(() => mock.restore(damaged(saved, 'apiKeys', key, { [field]: 'none' }))).toThrow(
      `Failed to restore: apiKeys ${key['id']}: ${field} must be the id of`,
    );
  }
});
