import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPostgres, withRedis } from '../support/servers.ts';
import { type SnippetProcess, startSnippet } from './snippet-process.ts';

const page = 'docs/idempotency.md';
let receiver: SnippetProcess;

afterEach(() => receiver?.kill());

const accepted = async (id: string) =>
  expect.poll(() => receiver.deliver(id), { timeout: 20_000 }).toBe(200);

describe.runIf(needs('redis'))("the guide's Redis snippets:", () => {
  let server: ThrowAwayServer;
  beforeAll(async () => {
    server = await withRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
  });
  afterAll(() => server.stop());

  test.each([
    ['node-redis', 'createClient({'],
    ['ioredis', 'new Redis('],
  ])(
    'the one with %s survives a killed server, rejects deliveries at once, and accepts them afterwards',
    async (client, mark) => {
      const id = (name: string) => `msg_${client}_${name}`;
      receiver = await startSnippet(page, mark, { REDIS_URL: server.url });
      await accepted(id('before'));
      await server.end();
      expect(await receiver.deliver(id('during'))).toBe(503);
      expect(receiver.isAlive()).toBe(true);
      await server.start();
      await accepted(id('during'));
      await accepted(id('before'));
      expect(receiver.output().match(/^gen_1$/gm)).toHaveLength(2);
    },
  );
});

describe.runIf(needs('postgres'))("the guide's PostgreSQL snippets:", () => {
  let server: ThrowAwayServer;
  let admin: Pool;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await withPostgres();
    env = {
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      PGUSER: 'postgres',
      PGDATABASE: 'postgres',
    };
    admin = new Pool({ connectionString: server.url });
    admin.on('error', () => {});
    admin.on('connect', (client) => client.on('error', () => {}));
    await admin.query('CREATE TABLE stories (request_id text, text text)');
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  const terminate = (where: string) =>
    admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND ${where}`,
    );

  test.each([
    ['pg', 'keepAlive: true,\n});'],
    ['postgres.js', 'postgres({'],
  ])('the one with %s survives terminated and killed servers', async (client, mark) => {
    const id = (name: string) => `msg_${client}_${name}`.replace('.', '_');
    receiver = await startSnippet(page, mark, env);
    expect(await receiver.deliver(id('before'))).toBe(200);
    await terminate('true');
    await accepted(id('terminated'));
    expect(receiver.isAlive()).toBe(true);
    await server.end();
    expect(await receiver.deliver(id('during'))).toBe(503);
    expect(receiver.isAlive()).toBe(true);
    await server.start();
    await accepted(id('during'));
    await accepted(id('before'));
    expect(receiver.output().match(/^gen_1$/gm)).toHaveLength(3);
  });

  test('the one with commitWith survives a backend that is terminated during its transaction, logs why, and has one effect', async () => {
    receiver = await startSnippet(page, 'inTransaction(async (client)', env);
    expect(await receiver.deliver('msg_first')).toBe(200);
    const lock = await admin.connect();
    await lock.query('BEGIN; LOCK TABLE stories');
    const delivery = receiver.deliver('msg_held');
    const waiting = `query LIKE 'INSERT INTO stories%' AND wait_event_type = 'Lock'`;
    await expect
      .poll(
        async () => (await admin.query(`SELECT 1 FROM pg_stat_activity WHERE ${waiting}`)).rowCount,
      )
      .toBe(1);
    await terminate(waiting);
    expect(await delivery).toBe(500);
    await lock.query('COMMIT');
    lock.release();
    expect(receiver.isAlive()).toBe(true);
    expect(receiver.output()).toContain('terminating connection due to administrator command');
    await accepted('msg_held');
    await accepted('msg_held');
    const { rows } = await admin.query('SELECT count(*)::int AS n FROM stories');
    expect(rows).toEqual([{ n: 2 }]);
  });
});
