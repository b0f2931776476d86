import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, type TestContext, test, vi } from 'vitest';
import { needs } from '../support/needs.ts';
import {
  type ThrowAwayServer,
  withPgBouncer,
  withPostgres,
  withRedis,
} from '../support/servers.ts';
import type { ClientName } from './clients.ts';
import {
  committedEffects,
  type Fault,
  type FleetOptions,
  runFault,
  startFleet,
  type TestBed,
} from './matrix.ts';
import { type SilentProxy, startProxy } from './proxy.ts';
import { report } from './report.ts';

// Nearly all of the time is waiting.
vi.setConfig({ maxConcurrency: 20 });

// `npm run test:all` runs the short form.
const isWhole = Boolean(process.env['CHAOS_REPORT']);

// The guide's settings recover sooner, but the response must be in time with either.
const settings: [string, FleetOptions][] = [
  ['its defaults', { hasDefaults: true, commits: false }],
  ...(isWhole ? [["the guide's settings", {}] as [string, FleetOptions]] : []),
];

const partition = (proxy: SilentProxy): Fault => ({
  name: 'silent partition',
  strike: async () => proxy.stall(),
  heal: async () => proxy.resume(),
});

const refusal = (proxy: SilentProxy): Fault => ({
  name: 'port refused',
  strike: () => proxy.refuse(),
  heal: () => proxy.accept(),
});

const faults = [
  { name: 'a silent partition', fault: partition },
  ...(isWhole ? [{ name: 'a refused port', fault: refusal }] : []),
];

/** Each test has its own receivers and proxy, so all wait at the same time. */
async function strike(
  { onTestFinished }: TestContext,
  testBed: TestBed,
  fault: (proxy: SilentProxy) => Fault,
  options: FleetOptions,
) {
  const at = new URL(testBed.url);
  const proxy = await startProxy(Number(at.port));
  onTestFinished(() => proxy.close());
  at.port = String(proxy.port);
  const fleet = await startFleet({ ...testBed, url: at.href }, { leaseMs: 60_000, ...options });
  onTestFinished(() => fleet.stop());
  report(await runFault(fleet, fault(proxy)));
}

describe.runIf(needs('redis')).concurrent('without a response from Redis', () => {
  let server: ThrowAwayServer;
  beforeAll(async () => {
    server = await withRedis();
  });
  afterAll(() => server?.stop());

  describe.each<ClientName>(['node-redis', 'ioredis'])('%s', (client) => {
    describe.each(settings)('with %s', (_name, options) => {
      test.for(faults)('keeps the promises under $name', async ({ fault }, context) => {
        await strike(context, { store: 'Redis', client, url: server.url }, fault, options);
      });
    });
  });
});

describe.runIf(needs('postgres')).concurrent('without a response from PostgreSQL', () => {
  let server: ThrowAwayServer;
  let bouncer: ThrowAwayServer | undefined;
  let admin: Pool;
  beforeAll(async () => {
    server = await withPostgres();
    if (needs('pgbouncer')) bouncer = await withPgBouncer(server.port);
    admin = new Pool({ connectionString: server.url, max: 2 });
    await admin.query('CREATE TABLE effects (id text)');
  });
  afterAll(async () => {
    await admin?.end();
    await bouncer?.stop();
    await server?.stop();
  });

  const testBed = (client: ClientName, through?: ThrowAwayServer): TestBed => ({
    store: through ? 'PostgreSQL through PgBouncer' : 'PostgreSQL',
    client,
    url: (through ?? server).url,
    ...(client === 'pg' && { committed: () => committedEffects(admin) }),
  });

  describe.each<ClientName>(['pg', 'postgres.js'])('%s', (client) => {
    describe.each(settings)('with %s', (_name, options) => {
      test.for(faults)('keeps the promises under $name', async ({ fault }, context) => {
        await strike(context, testBed(client), fault, options);
      });
    });

    test.runIf(needs('pgbouncer'))('keeps the promises through PgBouncer', async (context) => {
      expect(bouncer).toBeDefined();
      await strike(context, testBed(client, bouncer), partition, {});
    });
  });

  if (isWhole && needs('pgbouncer'))
    test('keeps the promises when PgBouncer itself gets no response', async ({
      onTestFinished,
    }) => {
      const proxy = await startProxy(server.port);
      onTestFinished(() => proxy.close());
      const between = await withPgBouncer(proxy.port);
      onTestFinished(() => between.stop());
      const fleet = await startFleet(testBed('pg', between));
      onTestFinished(() => fleet.stop());
      const fault = { ...partition(proxy), name: 'silent partition behind PgBouncer' };
      report(await runFault(fleet, fault));
    });
});
