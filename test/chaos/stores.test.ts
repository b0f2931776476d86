import { Pool } from 'pg';
import { afterAll, beforeAll, describe, type TestContext, test, vi } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPostgres, withRedis } from '../support/servers.ts';
import type { ClientName } from './clients.ts';
import {
  committedEffects,
  type Fault,
  type FleetOptions,
  runFault,
  startFleet,
  type TestBed,
} from './matrix.ts';
import { startProxy } from './proxy.ts';
import { report } from './report.ts';

// Nearly all of the time is waiting.
vi.setConfig({ maxConcurrency: 20 });

interface Store {
  readonly store: string;
  readonly program: 'postgres' | 'redis';
  readonly clients: readonly ClientName[];
  readonly signal: NodeJS.Signals;
  start(): Promise<ThrowAwayServer>;
}

const stores: Store[] = [
  {
    store: 'Redis',
    program: 'redis',
    clients: ['node-redis', 'ioredis'],
    signal: 'SIGKILL',
    // Every write is on disk before Redis responds, so a restart forgets nothing.
    start: () => withRedis(['--appendonly', 'yes', '--appendfsync', 'always']),
  },
  {
    store: 'PostgreSQL',
    program: 'postgres',
    clients: ['pg', 'postgres.js'],
    signal: 'SIGQUIT',
    start: withPostgres,
  },
];

// `npm run test:all` runs the short form. The guide's settings recover sooner; the response must be in time with either.
const settings: FleetOptions[] = [
  { hasDefaults: true, commits: false },
  ...(process.env['CHAOS_REPORT'] ? [{}] : []),
];

describe.each(stores)('receivers over $store keep their promises', (one) => {
  const { store, program, clients, signal } = one;
  let server: ThrowAwayServer;
  let admin: Pool | undefined;

  beforeAll(async () => {
    if (!needs(program)) return;
    server = await one.start();
    if (program === 'redis') return;
    admin = new Pool({ connectionString: server.url, max: 2 });
    admin.on('error', () => {});
    admin.on('connect', (client) => client.on('error', () => {}));
    await admin.query('CREATE TABLE effects (id text)');
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  /** Only with `pg`: postgres.js ends the process if a connection is lost during an open transaction. */
  const testBed = (client: ClientName, url: string): TestBed => ({
    ...{ store, client, url },
    ...(admin && client === 'pg' && { committed: () => committedEffects(admin as Pool) }),
  });
  const strike = async (
    { onTestFinished }: TestContext,
    bed: TestBed,
    fault: Fault,
    options?: FleetOptions,
  ) => {
    const fleet = await startFleet(bed, options);
    onTestFinished(() => fleet.stop());
    report(await runFault(fleet, fault));
  };

  const kills: Fault[] = [
    { name: 'killed', strike: () => server.end(signal), heal: () => server.start() },
    {
      name: 'receiver killed',
      strike: (fleet) => fleet.replace(),
      mayRepeat: `at most twice, at the done mark${program === 'postgres' ? '; once with `commitWith`' : ''}`,
    },
  ];
  describe.runIf(needs(program))('under a kill', () => {
    test.for(kills)('$name', (fault, context) =>
      strike(context, testBed(clients[0] as ClientName, server.url), fault),
    );
  });

  const silences = clients.flatMap((client) => settings.map((options) => ({ client, options })));
  describe.runIf(needs(program)).concurrent('under a silent partition', () => {
    test.for(silences)('of $client', async ({ client, options }, context) => {
      const at = new URL(server.url);
      const proxy = await startProxy(Number(at.port));
      context.onTestFinished(() => proxy.close());
      at.port = String(proxy.port);
      const partition: Fault = {
        name: 'silent partition',
        strike: async () => proxy.stall(),
        heal: async () => proxy.resume(),
      };
      const patient = { leaseMs: 60_000, ...options };
      await strike(context, testBed(client, at.href), partition, patient);
    });
  });
});
