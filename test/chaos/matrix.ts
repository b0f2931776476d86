import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import type { ClientName } from './clients.ts';
import { type Attempt, deliver, type Receiver, startReceiver } from './receiver.ts';
import type { ReportRow } from './report.ts';

/** Where a fault strikes a delivery. */
const moments = ['claim', 'callback', 'mark'] as const;

/** Longer than any fault lasts: if an outage outlasts the lease, no store can promise an effect once. */
const longLeaseMs = 8000;

/** What docs/reliability.md promises; when other tests keep the machine busy, the sender's limit of 15 s. */
const slowestMs = process.env['CHAOS_REPORT'] ? 5000 : 15_000;

/** A store with receivers in separate processes. */
export interface TestBed {
  /** Its name in the report. */
  readonly store: string;
  readonly client: ClientName;
  readonly url: string;
  /** How often each effect was committed together with its mark; missing where the store cannot do that. */
  committed?(): Promise<ReadonlyMap<string, number>>;
}

export interface Fault {
  readonly name: string;
  strike(fleet: Fleet): Promise<unknown>;
  heal?(fleet: Fleet): Promise<unknown>;
  /** Why the store cannot promise that an effect without a transaction happens once. */
  readonly mayRepeat?: string;
}

export interface Fleet {
  /** One writes the mark after the effect; over PostgreSQL, a second one commits both together. */
  readonly receivers: Receiver[];
  /** Kills every receiver without warning and starts new ones, at which deliveries no longer stop. */
  replace(): Promise<void>;
  stop(): Promise<void>;
  readonly testBed: TestBed;
  readonly hasDefaults: boolean;
  readonly ledger: string;
}

export interface FleetOptions {
  /** @default 8000 */
  readonly leaseMs?: number;
  /** The client has its own defaults. @default false */
  readonly hasDefaults?: boolean;
  /** How the receivers handle deliveries. @default both ways, where the store can commit */
  readonly commits?: boolean;
}

export async function startFleet(testBed: TestBed, options: FleetOptions = {}): Promise<Fleet> {
  const { leaseMs = longLeaseMs, hasDefaults = false, commits } = options;
  const ledger = join(tmpdir(), `contentgen-chaos-${crypto.randomUUID()}`);
  appendFileSync(ledger, '');
  const bothModes = testBed.committed ? [false, true] : [false];
  const modes = commits === undefined ? bothModes : [commits];
  const { client, url } = testBed;
  const start = (stops: boolean) =>
    Promise.all(
      modes.map((mode) =>
        startReceiver({
          client,
          url,
          leaseMs,
          hasDefaults,
          ledger,
          commits: mode,
          stops,
        }),
      ),
    );
  const receivers = await start(true);
  const kill = () => Promise.all(receivers.map((receiver) => receiver.kill()));
  return {
    receivers,
    testBed,
    hasDefaults,
    ledger,
    async replace() {
      await kill();
      receivers.splice(0, receivers.length, ...(await start(false)));
    },
    async stop() {
      await kill();
      rmSync(ledger, { force: true });
    },
  };
}

/** Strikes deliveries at every moment at once, and checks what the receiver promises. */
export async function runFault(fleet: Fleet, fault: Fault): Promise<ReportRow> {
  const run = crypto.randomUUID().slice(0, 8);
  const { receivers } = fleet;
  const ids = receivers.map((_, mode) => moments.map((at) => `msg_${run}_${mode}-at-${at}`));
  let wentAt = Number.POSITIVE_INFINITY;
  const sent = ids.flatMap((some, mode) =>
    some.map((id) =>
      startDelivery(
        () => (receivers[mode] as Receiver).url,
        id,
        () => wentAt,
      ),
    ),
  );
  await Promise.all(
    receivers.map((receiver, mode) => Promise.all((ids[mode] ?? []).map(receiver.reached))),
  );
  await fault.strike(fleet);
  wentAt = performance.now();
  for (const receiver of receivers) receiver.go();
  await Promise.all(sent.map(({ first }) => first));
  await fault.heal?.(fleet);
  const attempts = await Promise.all(sent.map(({ all }) => all));
  // A manual redelivery, once everything has recovered.
  await Promise.all(
    ids.flatMap((some, mode) =>
      some.map((id) => deliver(() => (receivers[mode] as Receiver).url, id)),
    ),
  );

  const effects = new Map([
    ...effectsIn(fleet.ledger),
    ...((await fleet.testBed.committed?.()) ?? []),
  ]);
  for (const [mode, some] of ids.entries())
    for (const id of some) {
      const most = mode === 0 && fault.mayRepeat ? 2 : 1;
      expect(effects.get(id) ?? 0, `effects of ${id}`).toBeGreaterThanOrEqual(1);
      expect(effects.get(id) ?? 0, `effects of ${id}`).toBeLessThanOrEqual(most);
    }
  const slowest = Math.max(...attempts.flat().map(({ ms }) => ms));
  expect(slowest, 'the slowest response').toBeLessThan(slowestMs);
  for (const receiver of receivers) expect(receiver.isAlive(), receiver.output()).toBe(true);
  return {
    store: fleet.testBed.store,
    client: fleet.hasDefaults ? `${fleet.testBed.client}, its defaults` : fleet.testBed.client,
    fault: fault.name,
    responses: moments.map((_moment, at) =>
      receivers
        .map((_receiver, mode) => statuses(attempts[mode * moments.length + at] ?? []))
        .join(' / '),
    ),
    promise: fault.mayRepeat ?? 'once',
    slowestMs: slowest,
  };
}

/** Delivers until accepted. The first attempt is timed from the moment at which the receiver resumed. */
function startDelivery(url: () => string, id: string, wentAt: () => number) {
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const all = deliver(url, id, () => resolve()).then((attempts) => {
    const [one, ...others] = attempts as [Attempt, ...Attempt[]];
    return [{ ...one, ms: Math.max(0, one.startedAt + one.ms - wentAt()) }, ...others];
  });
  all.catch(resolve);
  return { first, all };
}

/** The effects that are lines of a file. */
function effectsIn(ledger: string): Map<string, number> {
  const effects = new Map<string, number>();
  for (const id of readFileSync(ledger, 'utf8').split('\n'))
    effects.set(id, (effects.get(id) ?? 0) + 1);
  return effects;
}

/** The effects that transactions have committed, as a testBed reads them. */
export async function committedEffects(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query('SELECT id, count(*)::int AS n FROM effects GROUP BY id');
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** `503, 200`; 0 stands for a lost connection, and repeated statuses are left out. */
function statuses(attempts: readonly Attempt[]): string {
  const all = attempts.map(({ status }) => (status === 0 ? 'lost' : String(status)));
  return all.filter((status, index) => status !== all[index - 1]).join(', ');
}
