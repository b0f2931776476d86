import { describe, expect, test } from 'vitest';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { invoke, served } from './invoke.ts';

const url = 'https://app.example/webhooks';

/** A server whose receiver was down when two results and an event were sent, until all had failed. */
async function afterOutage() {
  const { mock, url: baseUrl } = await served();
  const client = new ContentGen({ baseUrl, apiKey: mock.adminKey });
  const { secret, id } = await client.webhooks.create({ event: 'invoice_paid', url });
  const handled: string[] = [];
  const handle = ({ type }: { type: string }) => void handled.push(type);
  const handler = createWebhookHandler({
    secret: [mock.signingSecret, secret],
    now: mock.clock.now,
    on: { generation_completed: handle, invoice_paid: handle },
  });
  const down = () => mock.receivers.set(url, async () => new Response('', { status: 503 }));
  const up = () => mock.receivers.set(url, handler);
  const start = (prompt: string) => client.content.start({ prompt, webhookUrl: url });
  down();
  for (const prompt of ['a', 'b']) await start(prompt);
  mock.trigger('invoice_paid', {});
  await mock.clock.advance('4 days');
  const statuses = () => mock.deliveries().map(({ status }) => status);
  expect(statuses()).toEqual(['failed', 'failed', 'failed']);
  up();
  const redeliver = (...args: string[]) => invoke(['redeliver', '--url', baseUrl, ...args]);
  return { mock, client, id, handled, start, statuses, redeliver };
}

const all = ['generation_completed', 'generation_completed', 'invoice_paid'];

describe('contentgen redeliver', () => {
  test('brings back each delivery that failed in an outage, once, and resends what was acknowledged on request', async () => {
    const { mock, id, handled, statuses, redeliver } = await afterOutage();
    const { code, out } = await redeliver('--since', '5 days');
    expect({ code, out }).toEqual({
      code: 0,
      out: ['result callbacks: 2 resent', `${id} invoice_paid: 1 resent`, 'in all: 3 resent'].join(
        '\n',
      ),
    });
    await mock.settle();
    expect(handled.toSorted()).toEqual(all);
    expect(statuses()).toEqual(['delivered', 'delivered', 'delivered']);
    const again = await redeliver('--since', '5 days', '--json');
    expect(JSON.parse(again.out)).toEqual({
      since: new Date(mock.clock.now() - 5 * 86_400_000).toISOString(),
      status: 'failed',
      count: 0,
      callbacks: 0,
      webhooks: [{ id, event: 'invoice_paid', count: 0 }],
    });
    const acknowledged = await redeliver('--since', '5 days', '--status', 'delivered');
    expect(acknowledged).toMatchObject({
      code: 0,
      out: expect.stringContaining('in all: 3 resent'),
    });
    await mock.clock.advance('9 days');
    expect(handled).toHaveLength(3);
  });

  test("goes back no further than --since, on the clock of the server, or with a key on this machine's", async () => {
    const { mock, start, handled, redeliver } = await afterOutage();
    const since = new Date(mock.clock.now()).toISOString();
    mock.receivers.set(url, async () => new Response('', { status: 503 }));
    await start('late');
    await mock.clock.advance('4 days');
    expect((await redeliver('--since', since)).out).toContain('in all: 1 resent');
    expect((await redeliver('--since', '4 days')).out).toContain('in all: 0 resent');
    expect((await redeliver('--since', '9 days')).out).toContain('in all: 3 resent');
    expect(handled).toEqual([]);
    // A minute after everything that was missed.
    const later = new Date(Date.now() + 60_000).toISOString();
    const { out } = await redeliver('--since', later, '--api-key', mock.adminKey);
    expect(out).toContain('in all: 0 resent');
  });

  test('a registration that the service has disabled is named and exits with 1; one that was disabled on request does not', async () => {
    const { mock, client, id, redeliver } = await afterOutage();
    mock.receivers.set(url, async () => new Response('', { status: 410 }));
    mock.trigger('invoice_paid', {});
    await mock.settle();
    const { code, out } = await redeliver('--since', '5 days');
    expect(code).toBe(1);
    expect(out).toContain(`${id} invoice_paid: disabled (gone), nothing resent`);
    expect(out).toContain('Enable a registration with client.webhooks.update');
    await client.webhooks.update(id, { status: 'enabled' });
    await client.webhooks.update(id, { status: 'disabled' });
    const requested = await redeliver('--since', '5 days', '--json');
    expect(requested.code).toBe(0);
    expect(JSON.parse(requested.out)).toMatchObject({
      webhooks: [{ id, count: 0, disabled: 'requested' }],
    });
  });

  test.each(['99999999999 days', '2026-01-01', '90 minutes'])(
    '--since %j is a time in the past',
    async (since) => {
      const { url: baseUrl } = await served();
      expect(await invoke(['redeliver', '--url', baseUrl, '--since', since])).toMatchObject({
        code: 0,
        out: expect.stringContaining('in all: 0 resent'),
      });
    },
  );

  const notATime =
    "--since must be a duration such as '2 hours', or an ISO 8601 time with its zone";
  test.each([
    ...['3 weeks', '2026-02-31T00:00:00Z'].map((since): [string[], string] => [
      ['--since', since],
      notATime,
    ]),
    [['--since', '2099-01-01T00:00:00Z'], "--since is in the future: '2099-01-01T00:00:00Z'."],
    [['--since', '1 day', '--status', 'lost'], '--status must be one of failed, delivered'],
    [[], '--since'],
  ])('%j prints one line and exits with 2', async (args, line) => {
    const { url: baseUrl } = await served();
    const { code, err } = await invoke(['redeliver', '--url', baseUrl, ...args]);
    expect(code).toBe(2);
    expect(err).toContain(line);
  });
});
