import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../../src/webhooks/index.ts';
import { needs } from '../../support/needs.ts';
import { type ThrowAwayPostgres, withPostgres } from '../../support/servers.ts';
import { start } from '../cli/command.ts';
import { receiver } from '../cli/receiver.ts';
import { cuttable, type Instance, keptOpen, startPair, until } from './processes.ts';

/** `node scripts/chaos.mjs` sets `CONTENTGEN_SHARED=full`, which runs the long form. */
const full = process.env['CONTENTGEN_SHARED'] === 'full';
const GENERATIONS = full ? 3000 : 200;
const STOPPED_MS = full ? 30_000 : 0;

describe.runIf(needs('postgres'))('several processes on one PostgreSQL database', () => {
  let postgres: ThrowAwayPostgres;
  beforeAll(async () => {
    postgres = await withPostgres();
  });
  afterAll(() => postgres?.stop());

  test('a killed leader loses nothing that was acknowledged, and every usage is counted once', async () => {
    const { leader, standby, memberKey } = await startPair(postgres.database('killed'));
    const hooks = await receiver();
    const acknowledged = await generateDuring(standby, memberKey, hooks.url, async () => {
      leader.child.kill('SIGKILL');
      await leader.ended;
    });
    expect(await standby.leads()).toBe(true);
    await expectAllDelivered(standby, memberKey, hooks, acknowledged);
  });

  test('a stopped leader is replaced, and neither responds nor sends when it resumes', async () => {
    const { leader, standby, memberKey } = await startPair(postgres.database('stopped'));
    // The first attempt fails, so that the next one falls due while the leader is stopped.
    const failed = new Set<string>();
    const hooks = await receiver(({ headers }) => {
      const id = String(headers['webhook-id']);
      if (failed.has(id)) return 200;
      failed.add(id);
      return 500;
    });
    const client = leader.client(memberKey);
    const job = await client.content.generate({ prompt: 'x', webhookUrl: hooks.url });
    await hooks.until(() => hooks.got.length === 1);
    await until(async () => attempts(leader).then((count) => count === 1));

    leader.child.kill('SIGSTOP');
    const asked = fetch(`${leader.url}/api/ai/content/generate`, {
      headers: { 'x-api-key': memberKey },
    });
    await until(standby.leads);
    const later = await standby.client(memberKey).content.generate({ prompt: 'later' });
    await hooks.until(() => hooks.got.length === 2);
    await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
    leader.child.kill('SIGCONT');

    const response = await asked.catch(() => undefined);
    if (response?.status === 200) expect(await response.text()).toContain(later.requestId);
    else expect([undefined, 503]).toContain(response?.status);
    await until(async () => !(await leader.leads()));
    expect((await leader.client(memberKey).content.get(job.requestId)).status).toBe('completed');
    expect(hooks.got).toHaveLength(2);
    expect(new Set(hooks.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('a leader that was replaced while it was stopped asks the database first, even if its connection looks alive', async () => {
    const database = postgres.database('asks');
    const way = await cuttable(database);
    const { leader, standby, memberKey } = await startPair(way.url, database);
    // The second attempt falls due while the leader is stopped, so it would send as soon as it resumes.
    const hooks = await receiver(() => (hooks.got.length === 1 ? 500 : 200));
    const job = await leader
      .client(memberKey)
      .content.generate({ prompt: 'x', webhookUrl: hooks.url });
    await until(async () => attempts(leader).then((count) => count === 1));
    const [api, control, balancer] = await Promise.all([1, 2, 3].map(() => keptOpen(leader.url)));
    for (const open of [api, control, balancer]) await open?.ask('/api/usage', memberKey);

    leader.child.kill('SIGSTOP');
    // The leader is not told that its session has ended: it has to ask.
    way.cut();
    const asked = [
      api?.ask('/api/ai/content/generate', memberKey),
      control?.ask('/_control/requests', memberKey),
      balancer?.ask('/_control/leader', memberKey),
    ];
    await until(standby.leads);
    await standby.client(memberKey).content.generate({ prompt: 'later' });
    await hooks.until(() => hooks.got.length === 2);
    leader.child.kill('SIGCONT');

    const statuses = (await Promise.all(asked)).map((response) => response?.status);
    expect(statuses).toEqual([503, 503, 503]);
    await until(async () => !(await leader.leads()));
    expect(hooks.got).toHaveLength(2);
    expect((await standby.client(memberKey).content.get(job.requestId)).status).toBe('completed');
  });

  test('a listener continues after a takeover, with pending and later deliveries', async () => {
    const { leader, standby, memberKey } = await startPair(postgres.database('listening'));
    const hooks = await receiver();
    const running = start(['listen', '--forward-to', hooks.url, '--url', standby.url]);
    const [, webhookUrl = ''] = /pass (\S+) as/.exec(await running.line(/webhookUrl/)) ?? [];
    const { content } = standby.client(memberKey);
    const before = await content.generate({ prompt: 'before', webhookUrl });
    leader.child.kill('SIGKILL');
    await running.errLine(/Reconnected/);
    const after = await content.generate({ prompt: 'after', webhookUrl });
    const seen = () =>
      new Set(
        hooks.got.map(({ body }) => (JSON.parse(String(body)) as { requestId: string }).requestId),
      );
    await hooks.until(() => seen().size === 2);
    expect(seen()).toEqual(new Set([before.requestId, after.requestId]));
  });

  test('a leader that the network cuts off from the database steps down before it is replaced', async () => {
    const database = postgres.database('cut');
    const way = await cuttable(database);
    const { leader, standby, memberKey } = await startPair(way.url, database);
    const before = await leader.client(memberKey).content.generate({ prompt: 'before' });
    way.cut();
    let both = 0;
    await until(async () => {
      const [old, next] = await Promise.all([leader.leads(), standby.leads()]);
      if (old && next) both += 1;
      return next;
    });
    expect(both).toBe(0);
    const found = await standby.client(memberKey).content.get(before.requestId);
    expect(found.status).toBe('completed');
  });

  test.each(['stopped', 'cut off'] as const)(
    'a leader that is %s under load loses nothing that was acknowledged',
    async (fault) => {
      const database = postgres.database(`load_${fault.replace(' ', '_')}`);
      const way = await cuttable(database);
      const { leader, standby, memberKey } = await startPair(way.url, database);
      const hooks = await receiver();
      const acknowledged = await generateDuring(standby, memberKey, hooks.url, async () => {
        if (fault === 'cut off') return way.cut();
        leader.child.kill('SIGSTOP');
        await until(standby.leads);
        await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
        leader.child.kill('SIGCONT');
      });
      await until(standby.leads);
      await until(async () => !(await leader.leads()));
      await expectAllDelivered(standby, memberKey, hooks, acknowledged);
    },
  );

  test('a restart of the database loses nothing that was acknowledged', async () => {
    const { leader, standby, memberKey } = await startPair(postgres.database('restarted'));
    const hooks = await receiver();
    const acknowledged = await generateDuring(standby, memberKey, hooks.url, async () => {
      await postgres.end('SIGINT');
      await postgres.start();
    });
    await until(async () => (await leader.leads()) !== (await standby.leads()));
    await expectAllDelivered(standby, memberKey, hooks, acknowledged);
  });
});

/** Starts generations, 20 at once, and lets something happen after a third of them. */
async function generateDuring(
  { client }: Instance,
  memberKey: string,
  webhookUrl: string,
  happen: () => Promise<void>,
): Promise<ReadonlySet<string>> {
  const { content } = client(memberKey);
  const acknowledged = new Set<string>();
  let happened: Promise<void> | undefined;
  let asked = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      while (asked < GENERATIONS) {
        asked += 1;
        const job = await content.generate({ prompt: `generation ${asked}`, webhookUrl });
        acknowledged.add(job.requestId);
        if (acknowledged.size > GENERATIONS / 3) happened ??= happen();
      }
    }),
  );
  await happened;
  expect(acknowledged.size).toBe(GENERATIONS);
  return acknowledged;
}

async function expectAllDelivered(
  instance: Instance,
  memberKey: string,
  hooks: Awaited<ReturnType<typeof receiver>>,
  acknowledged: ReadonlySet<string>,
): Promise<void> {
  const idsOf = new Map<string, Set<string>>();
  for (let seen = 0; idsOf.size < acknowledged.size || seen < hooks.got.length; seen += 1) {
    await hooks.until(() => hooks.got.length > seen);
    const { headers, body } = hooks.got[seen] as (typeof hooks.got)[number];
    const event = await verifyWebhook({ headers, body, secret: instance.mock.signingSecret });
    const { requestId = '' } = event.payload as { requestId?: string };
    idsOf.set(requestId, (idsOf.get(requestId) ?? new Set()).add(event.id));
  }
  expect(new Set(idsOf.keys())).toEqual(acknowledged);
  // A message that is sent again keeps its id, so that the receiver can recognize it.
  expect([...idsOf.values()].filter((ids) => ids.size !== 1)).toEqual([]);
  const { requests, used } = await instance.client(memberKey).usage.get();
  let tokens = 0;
  for await (const { usage } of instance.client(memberKey).content.list({ limit: 100 })) {
    tokens += usage?.totalTokens ?? 0;
  }
  expect({ requests, used }).toEqual({ requests: acknowledged.size, used: tokens });
}

async function attempts({ url }: Instance): Promise<number> {
  const response = await fetch(`${url}/_control/deliveries`);
  const { data } = (await response.json()) as { data: { attempts: unknown[] }[] };
  return data[0]?.attempts.length ?? 0;
}
