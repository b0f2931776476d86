import { afterAll, describe, expect, test } from 'vitest';
import { callsOf } from '../../../mock-server/control-api/calls.ts';
import { inProcess, type Setup, throughPost, ways } from './three-ways.ts';

const TARGET = 'https://app.example/hooks';
const START = Date.UTC(2026, 0, 1);

/** Ids of what every server of these tests holds. */
interface Ids {
  readonly delivery: string;
  readonly invoice: string;
  readonly fault: string;
  readonly organization: string;
}

type Open = () => Promise<Setup>;

/** One server for each way: starting one for each test takes most of the time. */
const opened = new Map<Open, Promise<Setup>>();
const once = (open: Open): Promise<Setup> => {
  const setup = opened.get(open) ?? open();
  opened.set(open, setup);
  return setup;
};
afterAll(async () => {
  for (const setup of opened.values()) await (await setup).end();
});

async function prepared(open: Open) {
  const { mock, control } = await once(open);
  mock.reset();
  mock.receivers.set(TARGET, () => new Response(null, { status: 503 }));
  await mock.fetch(`${mock.baseUrl}/api/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'data_updated', url: TARGET }),
  });
  const [delivery] = mock.trigger('data_updated');
  await mock.settle();
  mock.trigger('invoice_payment_failed');
  const ids: Ids = {
    delivery: String(delivery?.id),
    invoice: String(mock.billing.list()[0]?.id),
    fault: mock.faults.add({ operation: 'getUsage', effect: { status: 500 } }).id,
    organization: mock.organization,
  };
  const call = async (name: string, args: unknown) => {
    let owner: unknown = control;
    const path = name.split('.');
    for (const part of path.slice(0, -1)) owner = (owner as Record<string, unknown>)[part];
    const last = (owner as Record<string, (...args: unknown[]) => unknown>)[String(path.at(-1))];
    return Reflect.apply(last as () => unknown, owner, argumentsOf(args, ids));
  };
  return { mock, call, ids };
}

type Args = readonly unknown[] | ((ids: Ids) => readonly unknown[]);

const argumentsOf = (args: unknown, ids: Ids): unknown[] =>
  typeof args === 'function' ? args(ids) : (args as unknown[]);

const anything = expect.anything();
const rows = expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]);
const found = expect.objectContaining({ data: expect.any(Array), total: expect.any(Number) });
const paid = expect.objectContaining({ status: 'paid' });

/** Every call of the list, with arguments that are right and its result. */
const calls: readonly (readonly [name: string, args: Args, result: unknown])[] = [
  ['clock.now', [], START],
  ['clock.advance', ['1 day'], START + 86_400_000],
  ['settle', [], START],
  ['trigger', ['data_updated', { source: 's' }], [expect.objectContaining({ url: TARGET })]],
  ['trigger', (ids) => ['data_updated', undefined, { organization: ids.organization }], rows],
  ['faults.add', [{ operation: '*', effect: { drop: true } }], { id: expect.any(String) }],
  ['faults.list', [], [expect.objectContaining({ operation: 'getUsage' })]],
  ['faults.remove', (ids) => [ids.fault], true],
  ['faults.clear', [], undefined],
  ['billing.list', [], [expect.objectContaining({ status: 'payment_failed' })]],
  ['billing.pay', (ids) => [ids.invoice], paid],
  [
    'billing.fail',
    (ids) => [ids.invoice, 'gone'],
    expect.objectContaining({ failureReason: 'gone' }),
  ],
  ['requests', [], [expect.objectContaining({ operation: 'createWebhook', status: 201 })]],
  ['deliveries', [{ status: 'retrying', text: 'app.example', limit: 1 }], rows],
  ['events', [{ status: 'delivery.' }], rows],
  ['coverage', [], expect.arrayContaining([{ name: 'delivery failed', met: 1 }])],
  ['redeliver', (ids) => [ids.delivery], expect.objectContaining({ status: 'pending' })],
  ['redeliver', (ids) => [ids.delivery, { body: '' }], expect.objectContaining({ body: '' })],
  ['issueToken', [{ role: 'member' }], expect.stringMatching(/^ey/)],
  ['createOrganization', [{ quota: 5 }], expect.objectContaining({ adminKey: anything })],
  ['snapshot', [], expect.objectContaining({ version: 1 })],
  ['reset', [], undefined],
  ['page.server', [], expect.objectContaining({ clock: 'manual', signingSecret: anything })],
  ['page.activity', [], expect.objectContaining({ attempts: anything })],
  ...['requests', 'deliveries', 'events', 'generations', 'webhooks', 'apiKeys', 'invoices'].map(
    (name) => ['page.list', [name, { limit: 2 }], found] as const,
  ),
];

type Mistake = [name: string, args: Args, code: string, sentence?: string];

/** Every call that can be made wrongly, with the error's code and what its sentence says. */
const mistakes: Mistake[] = [
  ['clock.advance', ['1 fortnight'], 'validation_failed'],
  ['trigger', ['rain'], 'validation_failed'],
  ['trigger', ['data_updated', {}, { organization: 'org_none' }], 'not_found'],
  ['faults.add', [{ operation: 'getUsage', effect: { rain: 1 } }], 'validation_failed'],
  ['faults.add', [{ operation: '*', effect: { status: 500 }, organization: 'x' }], 'not_found'],
  ['billing.list', [{ colour: 1 }], 'validation_failed'],
  ['billing.pay', ['inv_none'], 'not_found'],
  ['billing.fail', ['inv_none'], 'not_found'],
  ['requests', [{ limitt: 1 }], 'validation_failed', "Did you mean 'limit'?"],
  ['deliveries', [{ limit: -1 }], 'validation_failed'],
  ['deliveries', [{ since: 'yesterday' }], 'validation_failed', 'since must be a time'],
  ['events', [{ text: 5 }], 'validation_failed'],
  ['redeliver', ['dlv_none'], 'not_found'],
  ['redeliver', ['dlv_none', { body: 5 }], 'validation_failed'],
  ['redeliver', ['dlv_none', { headers: { a: 'b\n' } }], 'validation_failed'],
  [
    'redeliver',
    ['dlv_none', { headers: { 'Webhook-Id': 'a.b' } }],
    'validation_failed',
    'whose webhook-id is 1 to 255 letters, digits, - or _',
  ],
  ['redeliver', ['dlv_none', { keepMessageId: true }], 'validation_failed'],
  ['issueToken', [], 'validation_failed', 'Failed to issue the token: role is required.'],
  ['issueToken', [{ role: 'admin', expiresIn: 'soon' }], 'validation_failed', 'expiresIn must be'],
  ['issueToken', [{ role: 'king' }], 'validation_failed'],
  ['issueToken', [{ role: 'admin', organization: 'org_none' }], 'not_found'],
  ['createOrganization', [{ quota: -1 }], 'validation_failed', 'quota must be'],
  ['restore', [{}], 'validation_failed'],
  ['page.list', ['constructor'], 'validation_failed'],
];

describe.each(ways)('%s', (_, open) => {
  test.each(calls)('%s of %j', async (name, args, result) => {
    const { call } = await prepared(open);
    expect(await call(name, args)).toEqual(result);
  });

  test('what snapshot returns can be restored, and what is paid cannot be paid again', async () => {
    const { call, ids } = await prepared(open);
    const saved = await call('snapshot', []);
    await call('reset', []);
    expect(await call('deliveries', [])).toEqual([]);
    expect(await call('restore', [saved])).toBe(undefined);
    expect(await call('deliveries', [])).toHaveLength(1);
    await call('billing.pay', [ids.invoice]);
    const again = call('billing.pay', [ids.invoice]);
    await expect(again).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

test('the table has every call of the list', async () => {
  const { mock } = await once(inProcess);
  const tried = new Set([...calls.map(([name]) => name), 'restore']);
  // Holds have a test of their own, because another process names them by their ids.
  const others = [...callsOf(mock).keys()].filter((name) => !/^(hold|held\..*)$/.test(name));
  expect([...tried].sort()).toEqual(others.sort());
});

describe('a mistake is told with the same code and sentence everywhere', () => {
  test.each(mistakes)('%s of %j', async (name, args, code, sentence = '') => {
    const told = [];
    for (const [, open] of ways) {
      const { call } = await prepared(open);
      told.push(
        await call(name, args).then(
          () => undefined,
          (error: Error & { code?: unknown }) => [error.code, error.message],
        ),
      );
    }
    expect(told[0]).toEqual([code, expect.stringContaining(sentence)]);
    expect(told).toEqual([told[0], told[0], told[0]]);
  });
});

describe('over HTTP', () => {
  test.each(['nothing', 'clock', 'receivers.set', 'fetch', 'adminKey', '__proto__', 'page.then'])(
    '%j is no call, and the response lists the calls',
    async (name) => {
      const { call, mock } = await prepared(throughPost);
      const error = await call(name, []).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: 404, code: 'not_found' });
      for (const known of callsOf(mock).keys()) expect(String(error)).toContain(known);
    },
  );
});
